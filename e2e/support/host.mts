import { startOpenAiServer } from '../../testkit/service/openAiServer.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { type Script, startScriptedService } from '../../testkit/service/fake/scriptedService.ts';
import { SPOKEN } from '../../testkit/media/spoken.ts';
import { type N8nOptions, startN8n } from './n8nServer.mts';
import { Editor, OldEditor } from './pages/editor.mts';
import { IS_OLDEST } from './places.mts';
import { startProxy } from './proxy.mts';
import { type Sandbox, installPackage, openSandbox, startService } from './sandbox.mts';
import { type Changes, importedWorkflow } from './workflowFiles.mts';

/**
 * Starts a host in its own sandbox: an n8n with our package, a local service, and a credential for it.
 *
 * @param flags of the service
 * @param recognizes whether the service recognizes what is spoken
 */
export async function startHost(
	name: string,
	{
		flags = [],
		recognizes = false,
		...options
	}: N8nOptions & { flags?: string[]; recognizes?: boolean } = {},
) {
	const sandbox = await openSandbox(name);
	await installPackage(sandbox);
	const more = recognizes ? await recognizerFlags(sandbox) : [];
	const service = await startService(sandbox, ...flags, ...more);
	const n8n = await startN8n(sandbox, options);
	const editor = IS_OLDEST ? new OldEditor(n8n.url) : new Editor(n8n.url);
	let running: { stop(): Promise<void>; kill(): Promise<void> } = n8n;
	const restart = async () => {
		running = await startN8n(sandbox, { ...options, port: n8n.port });
		await editor.enter();
	};
	await editor.enter();
	const login = async ({ url: baseUrl }: { url: string }, apiKey: string) =>
		await editor.createCredential('Service', { baseUrl, apiKey });
	const credential = await login(service, service.apiKey);
	return {
		sandbox,
		service,
		n8n,
		editor,
		credential,
		/** Returns an example workflow as it is after importing, with some parameters changed. */
		imported: async (file: string, changes?: Changes) =>
			await importedWorkflow(file, credential, sandbox.home, changes),
		/** Starts a proxy before the local service that records every exchange, and may withhold responses. */
		counted: async (withholds?: () => boolean) => {
			const proxy = await startProxy(sandbox, [service.url], withholds);
			return { ...proxy, credential: await login(proxy, service.apiKey) };
		},
		/** Starts a service that answers as the script says. */
		scripted: async (script: Script) => {
			const scripted = await startScriptedService(script);
			sandbox.onEnd(async () => {
				await scripted.stop();
			});
			return { ...scripted, credential: await login(scripted, scripted.apiKey) };
		},
		/** Returns the IDs of the edits that the service has accepted so far. */
		submitted: () => service.log.flatMap((line) => / edit (\S+) PENDING$/.exec(line)?.[1] ?? []),
		/** Waits until the service says that an edit has succeeded, without a status call. */
		succeeded: async (editId: string) => {
			const end = ` edit ${editId} SUCCESS `;
			const isOver = () => service.log.some((line) => line.includes(end)) || undefined;
			await eventually(`edit ${editId} has succeeded`, isOver);
		},
		/** Kills n8n with -9, does something, and starts n8n again. */
		killN8n: async (meanwhile = () => undefined as unknown) => {
			await running.kill();
			meanwhile();
			await restart();
		},
		/** Ends n8n as `systemctl restart` does, and starts it again. */
		restartN8n: async () => {
			await running.stop();
			await restart();
		},
	};
}

export type Host = Awaited<ReturnType<typeof startHost>>;

/** Returns the flags with which a service recognizes the same words in every recording. */
async function recognizerFlags(sandbox: Sandbox): Promise<string[]> {
	const recognizer = sandbox.use(await startOpenAiServer(() => ({ body: SPOKEN })));
	return ['--transcription-url', recognizer.url];
}
