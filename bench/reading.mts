/**
 * `npm run bench -- reading`: for how long reading an edit of ten hours keeps n8n from its other work, beside
 * JSON.parse of the same text, which nobody can divide.
 */
import { join } from 'node:path';

import { table } from '../demo/report.mts';
import { printBars } from '../testkit/measure/bars.mts';
import { runInChild, WITH_TSX } from '../testkit/measure/children.mts';
import { temporaryFolder } from '../testkit/process/temporaryFolder.mts';
import { listen } from '../testkit/service/fake/scriptedService.ts';
import { longTalk } from '../testkit/service/longTalk.ts';
import type { Block, Blocks } from './reading/measured.mts';

const WORDS = 100_000;

const MAX_MS_OVER_PARSING = 20;

const talk = longTalk(WORDS);
const { words } = talk.transcription.transcription;

function textOf(result: object): string {
	return JSON.stringify({ task_id: 'a', status: 'SUCCESS', result });
}

function withWords(changed: readonly object[]): string {
	const transcription = { ...talk.transcription, transcription: { words: changed } };
	return textOf({ ...talk, transcription });
}

/** The edit in the shapes that services send. */
const BODIES: Readonly<Record<string, string>> = {
	words: textOf(talk),
	'times-as-text': withWords(
		words.map((word) => ({ ...word, start: String(word.start), end: String(word.end) })),
	),
	'unknown-times': withWords(words.map((word) => ({ ...word, end: 'NaN' }))).replaceAll(
		'"NaN"',
		'NaN',
	),
	'list-of-paragraphs': textOf({ transcript: words }),
	waveform: textOf({ waveform_result: words.map(({ start }) => start) }),
};

const service = await listen(({ url = '' }) => {
	const body = BODIES[url.split('/').at(-1) ?? ''];
	return Promise.resolve({ body, headers: { 'Content-Type': 'application/json' } });
});
await using folder = await temporaryFolder();
const module = join(import.meta.dirname, 'reading', 'measured.mts');
const input = { url: service.url, editIds: Object.keys(BODIES) };
const execArgv = ['--expose-gc', ...WITH_TSX];
const blocks = (await runInChild(module, input, folder.path, execArgv)) as Blocks;
await service.stop();
const rows = Object.entries(blocks).map(([shape, { readingMs, parsingMs }]: [string, Block]) => [
	shape,
	`${readingMs.toFixed(1)} ms`,
	`${parsingMs.toFixed(1)} ms`,
]);
console.log(table([['shape', 'longest block', 'JSON.parse'], ...rows]));
console.log('');
printBars(
	Object.entries(blocks).map(([shape, { readingMs, parsingMs }]: [string, Block]) => ({
		name: `100,000 words, ${shape}: longest block over JSON.parse, in ms`,
		figure: readingMs - parsingMs,
		limit: MAX_MS_OVER_PARSING,
		decimals: 1,
	})),
);
