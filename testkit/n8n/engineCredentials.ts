import {
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	ICredentialsHelper,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
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

	/** Lets the credential's own function authenticate a request, as n8n does. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.types[type];
		if (typeof authenticate !== 'function') {
			throw new Error('Only a function that authenticates is supported here');
		}
		return await authenticate(credentials, options);
	}
}
