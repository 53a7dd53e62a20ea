/** The name of the credential type every call to the service is made with. */
export const CREDENTIAL_NAME = 'audioEditingApi';
