/**
 * Edits one recording with the built node Audio Editing, in n8n's engine. Argument: `{ url }` of the
 * service, as JSON. Sends its parent the shipped files in which code ran, from execute() to the output.
 */
import { runBuilt, sendAndEnd } from '../builtRun.mts';

import { Session } from 'node:inspector/promises';
import { relative, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { storeFile } from '../../test/support/n8nEngine.ts';
import { quickenTime } from '../builtClock.mts';

const DIST = join(import.meta.dirname, '..', '..', 'dist');

const { url } = JSON.parse(process.argv[2]) as { url: string };

quickenTime();
const binary = { data: await storeFile(Buffer.from('RIFF'), 'a.wav', 'audio/wav') };

async function editOne(): Promise<void> {
	const [item] = await runBuilt(url, [{ json: {}, binary }], [{ type: 'audioEditing' }]);
	if (item.binary === undefined) throw new Error('Nothing was edited');
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
// The first run also loads the modules.
await editOne();
await session.post('Profiler.takePreciseCoverage');
await editOne();
const { result } = await session.post('Profiler.takePreciseCoverage');
const ran = result.filter(
	({ url: file, functions }) =>
		file.startsWith(`file://${DIST}`) &&
		functions.some(({ ranges, functionName }) => functionName !== '' && ranges[0].count > 0),
);
const files = ran.map(({ url: file }) => relative(DIST, fileURLToPath(file)).replace(/js$/, 'ts'));
sendAndEnd([...new Set(files)].sort());
