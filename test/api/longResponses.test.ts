import { Client } from '../../api/client';
import { editSchema } from '../../api/contract';
import { parseInPieces } from '../../api/contract/tolerance';
import { parsed, parsedInPieces } from '../../api/jsonText';
import { inPieces } from '../../api/pauses';
import { hiderOf } from '../../api/secrets';
import { systemTime } from '../../api/time';
import { longTalk } from '../../testkit/service/longTalk';
import { useTransport } from '../../testkit/service/useTransport';

const service = useTransport();

/** More than is read at once. */
const LENGTH = 1_500;

afterEach(() => jest.restoreAllMocks());

/** Lets the clock go on whenever somebody looks at it, and calls `seen` with the milliseconds of each pause. */
function stepClock(seen: (ms: number) => void): void {
	let nowMs = 0;
	jest.spyOn(systemTime, 'now').mockImplementation(() => (nowMs += 5));
	jest.spyOn(systemTime, 'sleep').mockImplementation(async (ms, signal) => {
		if (ms === 1) seen(ms);
		else await new Promise((resolve) => signal?.addEventListener('abort', resolve));
	});
}

const ODD = [
	{ text: 7, start: '1.5', more: 1 },
	{ start: 1 },
	'Hi.',
	null,
	{ text: 'a', speaker: 5, title: 'b', end: 'soon' },
];
const odd = Array.from({ length: LENGTH }, (_, index) => ODD[index % ODD.length]);

it.each<[string, object]>([
	['paragraphs', { transcription: { paragraphs: odd } }],
	['paragraphs of the superseded shape', { transcript: odd }],
	['words', { transcription: { transcription: { words: odd } } }],
	['speakers', { transcription: { transcription: { paragraphs: odd } } }],
	['chapters', { summarization: { chapters: odd } }],
	['summaries', { summarization: { summaries: odd } }],
	['links', { merged_audio_url: odd }],
])('many %s are read in pieces, like a few', async (_name, result) => {
	const body = { task_id: 'a', status: 'SUCCESS', result };
	const steps: number[] = [];
	const read = await parseInPieces(editSchema, body, async (count, step) => {
		steps.push(count);
		await inPieces(count, step);
	});
	expect(steps).toEqual([LENGTH]);
	expect(read.data).toEqual(editSchema.parse(body));
});

it('an edit of hours leaves n8n time for its other work', async () => {
	const words = 20_000;
	const body = { task_id: 'a', status: 'SUCCESS', result: longTalk(words) };
	service.answer = () => ({ body });
	let pauses = 0;
	await service.withTransport(async (transport) => {
		stepClock(() => (pauses += 1));
		const read = await new Client(transport).getEditOnce('a');
		jest.restoreAllMocks();
		if (!read.ok) throw new Error(read.failure.said);
		expect(read.value.result?.transcription?.transcription?.words).toHaveLength(words);
	});
	// Of every 400 words one, when they are searched for the key and when they are read, and around JSON.parse.
	expect(pauses).toBeGreaterThan((2 * words) / 500);
});

describe('a secret in a long list', () => {
	const hider = hiderOf(['secret-7']);
	const list = (last: unknown) => [...Array.from({ length: LENGTH }, () => 'a'), last];

	it.each([
		['in an entry', list('the secret-7')],
		['in the key of an entry', { words: list({ 'secret-7': 1 }) }],
		['in a long list in another', list(list('secret-7'))],
	])('is hidden %s', async (_where, value) => {
		const shown = await hider.valueInPieces(value);
		expect(shown).toEqual(hider.value(value));
		expect(JSON.stringify(shown)).not.toContain('secret-7');
	});

	it('is the only reason to copy it', async () => {
		const value = list(list('secret-8'));
		expect(await hider.valueInPieces(value)).toBe(value);
	});

	it('that is nested too deeply is hidden with it', async () => {
		let value: unknown = 'a';
		for (let depth = 0; depth < 101; depth++) value = depth === 60 ? list(value) : [value];
		expect(JSON.stringify(await hider.valueInPieces(value))).toContain('["(hidden)"]');
	});
});

describe('a long JSON text', () => {
	const filler = JSON.stringify(Array.from({ length: 60_000 }, () => 'NaN, a "word"'));

	it.each([
		['is', `{"list":${filler}}`],
		['with a byte order mark is', `\uFEFF${filler}`],
		['with NaN is', `{"start":NaN,"list":${filler},"end":-Infinity}`],
		['that was cut is', `{"list":${filler}`],
	])('%s read in pieces, like a short one', async (_what, text) => {
		let pauses = 0;
		stepClock(() => (pauses += 1));
		expect(await parsedInPieces(text)).toEqual(parsed(text));
		expect(pauses).toBeGreaterThan(1);
	});
});
