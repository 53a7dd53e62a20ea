import { CREDENTIAL_NAME, parseBaseUrl } from './credential';
import { type Result, failed, success } from './failure';
import { type CredentialFields, type ServiceContext, Transport } from './transport';

/** Reads the credential of the node. Fails with kind `invalid` if its base URL cannot be used. */
export async function openTransport(
	context: ServiceContext,
	isForLater = false,
): Promise<Result<Transport>> {
	const credential = await context.getCredentials<CredentialFields>(CREDENTIAL_NAME, 0);
	const base = parseBaseUrl(credential.baseUrl);
	if (base.ok) {
		return success(new Transport(context, credential, base.origin, base.root, isForLater));
	}
	const said = `its 'Base URL' ${base.reason}`;
	return failed({ kind: 'invalid', request: 'read the credential', said, isEntered: true });
}
