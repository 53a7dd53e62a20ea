/**
 * Edits one recording with the built node Audio Editing, in n8n's engine. Argument: `{ url }` of the
 * service, as JSON. Sends its parent the shipped files in which code ran, from execute() to the output.
 */
import '../../test/support/environment.ts';

import { Session } from 'node:inspector/promises';
import { relative, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { INodeExecutionData } from 'n8n-workflow';

import { loadCredential, loadNodes } from '../../demo/builtPackage.mts';
import { chain, credentialFor } from '../../test/support/chain.ts';
import { itemsOf, runWorkflow, startEngine, storeFile } from '../../test/support/n8nEngine.ts';
import { quickenTime } from '../builtClock.mts';

const DIST = join(import.meta.dirname, '..', '..', 'dist');

const NODE = 'audioEditing';

const nodeTypes = loadNodes();
const credentialTypes = { audioEditingApi: loadCredential() };

const { url } = JSON.parse(process.argv[2]) as { url: string };

async function editOne(items: INodeExecutionData[]): Promise<void> {
	const run = await runWorkflow({
		workflow: chain({ type: NODE }),
		items,
		nodeTypes,
		credentialTypes,
		credentials: { audioEditingApi: credentialFor({ url, apiKey: 'house' }) },
	});
	if (run.data.resultData.error) throw run.data.resultData.error;
	if (itemsOf(run, NODE)[0]?.binary === undefined) throw new Error('Nothing was edited');
}

await startEngine();
quickenTime();
const binary = { data: await storeFile(Buffer.from('RIFF'), 'a.wav', 'audio/wav') };
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
// The first run also loads the modules.
await editOne([{ json: {}, binary }]);
await session.post('Profiler.takePreciseCoverage');
await editOne([{ json: {}, binary }]);
const { result } = await session.post('Profiler.takePreciseCoverage');
const ran = result.filter(
	({ url: file, functions }) =>
		file.startsWith(`file://${DIST}`) &&
		functions.some(({ ranges, functionName }) => functionName !== '' && ranges[0].count > 0),
);
const files = ran.map(({ url: file }) => relative(DIST, fileURLToPath(file)).replace(/js$/, 'ts'));
process.send?.([...new Set(files)].sort(), () => {
	process.exit();
});
