import { editSchema } from '../../api/contract';

const read = (body: object) => editSchema.parse({ task_id: 'a', ...body });
const failed = (result: unknown) => read({ status: 'FAILURE', result }).failureReason;

describe('the reason of a FAILURE', () => {
	it.each([
		['message', { message: 'The file has no audio' }, 'The file has no audio'],
		['error', { error: 'The file has no audio' }, 'The file has no audio'],
		['detail', { detail: 'The file has no audio' }, 'The file has no audio'],
		['code', { code: 'E2003' }, 'code E2003'],
		['code and message', { code: 2003, message: 'no audio' }, '2003: no audio'],
		['an error object', { error: { code: 'E1', message: 'no audio' } }, 'E1: no audio'],
		['a detail list', { detail: [{ loc: ['x'], msg: 'one' }, { msg: 'two' }] }, 'one; two'],
		['a plain text', 'The file has no audio', 'The file has no audio'],
		['state', { state: 'No audio', job_name: 'edit-7' }, 'No audio'],
		['state in one word', { state: 'no_audio' }, 'no_audio'],
		['job_name', { state: 'FAILURE', job_name: 'cut: no audio' }, 'cut: no audio'],
		['message before state', { state: 'cutting', message: 'no audio' }, 'no audio'],
	])('is read from %s', (_name, result, reason) => {
		expect(failed(result)).toBe(reason);
	});

	it('is cut after 300 characters, and marked only then', () => {
		expect(failed('x'.repeat(300))).toBe('x'.repeat(300));
		expect(failed('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
	});

	it('is read from the body where the result has none', () => {
		expect(read({ status: 'FAILURE', message: 'no audio', result: null }).failureReason).toBe(
			'no audio',
		);
		const both = { status: 'FAILURE', message: 'no audio', result: { state: 'cutting' } };
		expect(read(both).failureReason).toBe('no audio');
		const own = { status: 'FAILURE', message: 'the job ended', result: { message: 'no audio' } };
		expect(read(own).failureReason).toBe('no audio');
	});

	it.each([
		[undefined],
		[null],
		[{}],
		[[]],
		[{ message: '' }],
		[{ code: null }],
		[{ error: {} }],
		[{ state: 'failed', job_name: 'edit-7', done: 3 }],
		[{ state: 7, job_name: null }],
	])('is missing for %j', (result) => {
		expect(failed(result)).toBeUndefined();
	});

	it('has one line, no signed query and at most 300 characters', () => {
		expect(
			failed({ error: 'PUT to https://s.example.com/a?X-Amz-Signature=abc\nanswered 403' }),
		).toBe('PUT to https://s.example.com/a answered 403');
		expect(failed({ error: 'x'.repeat(900) })).toHaveLength(301);
	});

	it('has three entries of a list, which may be long', () => {
		const detail = ['one', 'two', 'three', 'four'].map((msg) => ({ msg }));
		expect(failed({ detail })).toBe('one; two; three');
	});

	it('is read for FAILURE only', () => {
		expect(read({ status: 'EDITING', result: { message: 'going on' } }).failureReason).toBe(
			undefined,
		);
	});
});

describe('the progress of an edit', () => {
	const RUNNING = {
		done: 12,
		total: 40,
		state: 'running',
		phase: 'editing',
		step: 'cut',
		substep: 'cut',
		job_name: 'job-7',
	};

	it('has counts and a short text', () => {
		const edit = read({ status: 'EDITING', result: RUNNING });
		expect(edit.editProgress).toEqual({
			done: 12,
			total: 40,
			text: '12 of 40, running, editing, cut',
		});
		expect(edit.result).toBeUndefined();
	});

	it.each([
		[{ done: '3' }, { done: 3, text: '3 done' }],
		[{ job_name: 'job-7' }, { text: 'job-7' }],
		[
			{ state: 'running', phase: 3, step: 1, substep: 0 },
			{ text: 'running, phase 3, step 1, substep 0' },
		],
		[{ total: 4 }, { total: 4, text: '' }],
	])('is read from %j', (result, progress) => {
		expect(read({ status: 'EDITING', result }).editProgress).toEqual(progress);
	});

	it('leaves a SUCCESS without its result', () => {
		const result = { ...RUNNING, video: false, filename: 'a.wav', download_url: null };
		const edit = read({ status: 'SUCCESS', result });
		expect(edit.result).toBeUndefined();
		expect(edit.editProgress?.text).toMatch(/^12 of 40/);
	});

	it.each([
		['download_url', { download_url: 'https://f.example.com/a' }],
		['a text', { summary: 'A talk' }],
		['statistics', { statistics: { BREATH: 1 } }],
	])('is not read from a result with %s', (_name, content) => {
		const edit = read({ status: 'SUCCESS', result: { ...content, state: 'done' } });
		expect(edit.result).toMatchObject({ state: 'done' });
		expect(edit.editProgress).toBeUndefined();
	});
});

describe('poll_after_seconds', () => {
	it.each([
		[{ status: 'EDITING', poll_after_seconds: 20 }, 20],
		[{ status: 'EDITING', result: { poll_after_seconds: '15' } }, 15],
		[{ status: 'EDITING', poll_after_seconds: -5 }, undefined],
		[{ status: 'EDITING', poll_after_seconds: 'soon' }, undefined],
		[{ status: 'EDITING' }, undefined],
	])('is read from %j', (body, seconds) => {
		expect(read(body).pollAfterSeconds).toBe(seconds);
	});
});

describe('links and lists in other shapes', () => {
	const markers = (timestamps_markers_urls: unknown) =>
		read({ status: 'SUCCESS', result: { timestamps_markers_urls } }).result;

	it('keeps names and links of markers that come as an object', () => {
		const result = markers({
			'cuts.edl': 'https://f.example.com/1',
			audacity: 'https://f.example.com/2',
		});
		expect(result?.timestamps_markers_urls).toEqual([
			'https://f.example.com/1',
			'https://f.example.com/2',
		]);
		expect(result?.timestamps_markers_names).toEqual({
			'https://f.example.com/1': 'cuts.edl',
			'https://f.example.com/2': 'audacity',
		});
	});

	it.each(['merged_audio_url', 'audio_for_edl_urls', 'timestamps_markers_urls'])(
		'reads a text as the only link of %s',
		(key) => {
			const { result } = read({ status: 'SUCCESS', result: { [key]: 'https://a/m' } });
			expect(result).toHaveProperty(key, ['https://a/m']);
		},
	);

	it('reads a text as the only paragraph of a transcript', () => {
		const result = { transcription: { paragraphs: 'All of it.' } };
		const { transcription } = read({ status: 'SUCCESS', result }).result ?? {};
		expect(transcription?.paragraphs).toEqual([{ text: 'All of it.' }]);
	});

	it.each([[['https://a/m']], ['https://a/m']])('reads markers %j as one link', (value) => {
		expect(markers(value)?.timestamps_markers_urls).toEqual(['https://a/m']);
		expect(markers(value)?.timestamps_markers_names).toBeUndefined();
	});

	it.each([
		[
			[1, 2],
			[1, 2],
		],
		[{ peaks: [1] }, { peaks: [1] }],
		['odd', []],
		[null, []],
	])('keeps the waveform %j', (waveform_result, kept) => {
		const result = { waveform_result, filename: 'a' };
		expect(read({ status: 'SUCCESS', result }).result?.waveform_result).toEqual(kept);
	});
});

describe('what a check of the cuts by words found', () => {
	const found = (wordCheck: unknown) =>
		read({ status: 'SUCCESS', result: { word_check: wordCheck } }).result?.word_check;

	it('is read with its times and words', () => {
		const cut = { kind: 'filler', start: 1.5, end: 2, words: ['the'] };
		const check = { cuts: 3, checked: 1, restored: [cut], doubtful: [] };
		expect(found(check)).toEqual(check);
	});

	it('makes no result unreadable', () => {
		expect(found('none')).toBeUndefined();
		expect(found({ cuts: 'many', restored: [7, { words: null }] })).toEqual({
			restored: [{ words: [] }],
			doubtful: [],
		});
	});
});
