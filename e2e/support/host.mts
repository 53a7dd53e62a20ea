import { startOpenAiServer } from '../../test/service/support/openAiServer.mts';
import type { LocalService } from '../../test/support/localService.ts';
import {
	type ScriptedService,
	type Script,
	startScriptedService,
} from '../../test/support/scriptedService.ts';
import { SPOKEN } from '../../test/support/spoken.ts';
import { type CountingProxy, type Exchange, startCountingProxy } from './countingProxy.mts';
import { type N8nOptions, type N8nServer, startN8n } from './n8nServer.mts';
import { type CredentialReference, Editor, type NewWorkflow } from './pages/editor.mts';
import { OldEditor } from './pages/oldEditor.mts';
import { IS_OLDEST } from './places.mts';
import { type Sandbox, installPackage, openSandbox, startService } from './sandbox.mts';
import { type Changes, importedWorkflow } from './workflowFiles.mts';

/** Something that answers like the service, with a credential for it. */
type WithCredential<Server> = Server & { readonly credential: CredentialReference };

/** A running n8n with our package, a local service, and a credential for it. */
export interface Host {
	readonly sandbox: Sandbox;
	readonly service: LocalService;
	readonly n8n: N8nServer;
	readonly editor: Editor;
	readonly credential: CredentialReference;
	/** Returns an example workflow as it is after importing, with some parameters changed. */
	readonly imported: (file: string, changes?: Changes) => Promise<NewWorkflow>;
	/** Starts a counting proxy before the local service. */
	readonly counted: (
		withholds?: (exchanges: readonly Exchange[]) => boolean,
	) => Promise<WithCredential<CountingProxy>>;
	/** Starts a service that answers as the script says. */
	readonly scripted: (script: Script) => Promise<WithCredential<ScriptedService>>;
	/** Kills n8n with -9, does something, and starts n8n again. */
	readonly killN8n: (meanwhile?: () => void) => Promise<void>;
}

/** How to start a host: flags of the service, and whether it recognises what is spoken. */
export interface HostOptions extends N8nOptions {
	readonly flags?: readonly string[];
	readonly hears?: boolean;
}

/** Starts a host in its own sandbox. */
export async function startHost(
	name: string,
	{ flags = [], hears = false, ...options }: HostOptions = {},
): Promise<Host> {
	const sandbox = await openSandbox(name);
	await installPackage(sandbox);
	const service = await startService(sandbox, ...flags, ...(hears ? await hearing(sandbox) : []));
	const n8n = await startN8n(sandbox, options);
	const editor = IS_OLDEST ? new OldEditor(n8n.url) : new Editor(n8n.url);
	await editor.enter();
	const login = async ({ url: baseUrl }: { url: string }, apiKey: string) =>
		await editor.createCredential('Service', { baseUrl, apiKey });
	const credential = await login(service, service.apiKey);
	return {
		...{ sandbox, service, n8n, editor, credential },
		imported: async (file, changes) =>
			await importedWorkflow(file, credential, sandbox.home, changes),
		counted: async (withholds) => {
			const proxy = await startCountingProxy(sandbox, service.url, withholds);
			return { ...proxy, credential: await login(proxy, service.apiKey) };
		},
		scripted: async (script) => {
			const scripted = await startScriptedService(script);
			sandbox.onEnd(async () => {
				await scripted.stop();
			});
			return { ...scripted, credential: await login(scripted, scripted.apiKey) };
		},
		killN8n: async (meanwhile = () => undefined) => {
			await n8n.kill();
			meanwhile();
			await startN8n(sandbox, { port: n8n.port });
			await editor.enter();
		},
	};
}

/** Returns the flags with which a service recognises the same words in every recording. */
export async function hearing(sandbox: Sandbox): Promise<string[]> {
	const recogniser = sandbox.use(await startOpenAiServer(() => ({ body: SPOKEN })));
	return ['--transcription-url', recogniser.url];
}
