import {
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	ICredentialsHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
} from 'n8n-workflow';

/** Provides credentials as n8n's own helper does, from values in the test. */
export class EngineCredentials extends ICredentialsHelper {
	constructor(
		private readonly types: Record<string, ICredentialType>,
		private readonly values: Record<string, ICredentialDataDecryptedObject>,
	) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.types[type].properties;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getOAuth2Options() {
		return undefined;
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async getCredentials(): Promise<never> {
		throw new Error('The tests do not store credentials');
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	async getDecrypted(
		_data: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		if (!(type in this.values)) throw new Error(`The test has no credential of type ${type}`);
		return { ...this.values[type] };
	}

	/** Resolves the headers of a generic authentication, as n8n does. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		options: IHttpRequestOptions,
		workflow: Workflow,
		node: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.types[type];
		if (authenticate === undefined || typeof authenticate === 'function') {
			throw new Error('Only generic authentication is supported here');
		}
		const headers = { ...options.headers };
		for (const [name, expression] of Object.entries(authenticate.properties.headers ?? {})) {
			headers[name] = String(
				workflow.expression.getSimpleParameterValue(node, String(expression), 'internal', {
					$credentials: credentials,
				}),
			);
		}
		return { ...options, headers };
	}
}
