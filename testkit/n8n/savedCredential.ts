import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import { type ServiceAccess, credentialFor } from './chain';
import { additionalData } from './n8nEngine';
import { OUR_CREDENTIALS, OUR_NODES } from './ourNodes';

/**
 * Tests a credential as n8n does when a person saves it: by the node that says that it can,
 * with n8n's own helper.
 */
export async function savedCredential(access: ServiceAccess): Promise<INodeCredentialTestResult> {
	const node = Object.values(OUR_NODES).find(({ description: { credentials = [] } }) =>
		credentials.some(({ testedBy }) => testedBy !== undefined),
	);
	const { testedBy } = node?.description.credentials?.[0] ?? {};
	const test = node?.methods?.credentialTest?.[String(testedBy)];
	if (test === undefined) throw new Error('No node tests the credential');
	const context: ICredentialTestFunctions = new CredentialTestContext(
		additionalData({ credentialTypes: OUR_CREDENTIALS, credentials: {} }),
	);
	const data = credentialFor(access);
	return await test.call(context, { id: '1', name: 'Saved', type: 'audioEditingApi', data });
}
