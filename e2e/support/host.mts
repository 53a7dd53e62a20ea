import type { LocalService } from '../../test/support/localService.ts';
import { type CredentialReference, Editor } from './pages/editor.mts';
import { type N8nOptions, type N8nServer, startN8n } from './n8nServer.mts';
import { OldEditor } from './pages/oldEditor.mts';
import { IS_OLDEST } from './places.mts';
import { type Sandbox, installPackage, openSandbox, startService } from './sandbox.mts';

/** A running n8n with our package, a local service, and a credential for it. */
export interface Host {
	readonly sandbox: Sandbox;
	readonly service: LocalService;
	readonly n8n: N8nServer;
	readonly editor: Editor;
	readonly credential: CredentialReference;
}

/** Starts a host in its own sandbox. */
export async function startHost(
	name: string,
	{ flags = [], ...options }: N8nOptions & { flags?: readonly string[] } = {},
): Promise<Host> {
	const sandbox = await openSandbox(name);
	await installPackage(sandbox);
	const service = await startService(sandbox, ...flags);
	const n8n = await startN8n(sandbox, options);
	const editor = IS_OLDEST ? new OldEditor(n8n.url) : new Editor(n8n.url);
	await editor.enter();
	const { url: baseUrl, apiKey } = service;
	const credential = await editor.createCredential('Local service', { baseUrl, apiKey });
	return { sandbox, service, n8n, editor, credential };
}
