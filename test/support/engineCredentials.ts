import {
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type ICredentialsHelper,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/** Provides credentials as n8n's own helper does, from values in the test. */
export class EngineCredentials implements Partial<ICredentialsHelper> {
	constructor(
		private readonly types: Record<string, ICredentialType>,
		private readonly values: Record<string, ICredentialDataDecryptedObject>,
	) {}

	getParentTypes(): string[] {
		return [];
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.types[type].properties;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async preAuthentication() {
		return undefined;
	}

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
