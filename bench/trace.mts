/**
 * `npm run bench -- trace`: the way of one recording through Audio Editing in n8n's engine, function by function,
 * and how often it goes from file to file. A callback counts as a function of the file that has it. Also counts the
 * parameters in nodes/core/ that take a function, the functions that go to definition does not reach, and the files
 * that a new boolean key changes.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { printBars, count } from '../testkit/measure/bars.mts';
import { runInChild, startInstantService } from '../testkit/measure/children.mts';
import { temporaryFolder } from '../testkit/process/temporaryFolder.mts';
import type { Steps, TracedRun } from './trace/traced.mts';
import { filesOfNewKey } from './trace/filesOfNewKey.mts';
import { functionParameters } from './trace/functionParameters.mts';
import { unreached } from './trace/unreached.mts';
import { copyTraced, type Step } from './trace/tracedFiles.mts';

const RESULT_BYTES = 64 * 1_024;

await using service = await startInstantService(RESULT_BYTES);
await using folder = await temporaryFolder();
const traced = join(folder.path, 'package');
await mkdir(traced);
await copyTraced(traced);
const module = join(import.meta.dirname, 'trace', 'traced.mts');
const run: TracedRun = { url: service.url, folder: traced };
const { steps } = (await runInChild(module, run, folder.path)) as Steps;

/** Consecutive functions of one file. */
const stays: Array<{ file: string; names: string[] }> = [];
for (const { file, name } of steps) {
	if (stays.at(-1)?.file !== file) stays.push({ file, names: [] });
	stays.at(-1)?.names.push(name);
}
for (const { file, names } of stays) console.log(`${file}: ${names.join(', ')}`);

// What is done with all forms comes after the last was read.
const reading = steps.slice(placeOf('itemsToRead'), placeOf('plan'));
const visits = new Map<string, number>();
for (const { file } of stays) visits.set(file, (visits.get(file) ?? 0) + 1);
const [most, maxVisits] = [...visits].reduce((one, other) => (other[1] > one[1] ? other : one));
const files = new Set(steps.map(({ file }) => file));
const functions = new Set(steps.map(({ file, name }) => `${file} ${name}`));
console.log(
	`\n${files.size} files, ${functions.size} functions, ${stays.length - 1} moves; most often in ${most}`,
);

const callbacks = functionParameters('nodes/core/');
for (const place of callbacks) console.log(`takes a function: ${place}`);

const hidden = unreached(steps, { file: 'nodes/AudioEditing/AudioEditing.node', name: 'execute' });
for (const place of hidden) console.log(`go to definition does not reach: ${place}`);

const ofNewKey = filesOfNewKey();
for (const place of ofNewKey) console.log(`a new boolean key changes: ${place}`);

printBars([
	count('files in nodes/ that one recording touches', [...files].filter(isOfNodes).length, 18),
	count('moves between files while the form is read', movesIn(reading), 20),
	count('visits to one file', maxVisits, 20),
	count('parameters of function type in nodes/core', callbacks.length, 0),
	count('functions that go to definition does not reach', hidden.length, 0),
	count('files that a new boolean key changes', ofNewKey.length, 2),
]);

function placeOf(name: string): number {
	const place = steps.findIndex((step) => step.name === name);
	if (place < 0) throw new Error(`No function is called ${name} any more`);
	return place;
}

function isOfNodes(file: string): boolean {
	return file.startsWith('nodes/');
}

function movesIn(some: readonly Step[]): number {
	return some.filter(({ file }, index) => index > 0 && file !== some[index - 1].file).length;
}
