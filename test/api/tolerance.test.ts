import {
	completedTasksSchema,
	editCreationSchema,
	editSchema,
	receivedBody,
	validationErrorSchema,
} from '../../api/contract';

it('keeps a completed edit with a numeric id', () => {
	const task = { id: 7, created_at: '2026-01-01T00:00:00Z', status: 'SUCCESS' };
	expect(completedTasksSchema.parse({ tasks: [task] }).tasks).toMatchObject([{ id: '7' }]);
});

describe('the id of a created edit is never lost', () => {
	it.each<[string, unknown]>([
		['id', { id: 'e-1' }],
		['task_id', { task_id: 'e-1', status: 'PENDING' }],
		['edit_id beside an empty id', { id: '', task_id: null, edit_id: 'e-1' }],
	])('%s', (_name, body) => {
		expect(editCreationSchema.parse(body)).toMatchObject({ id: 'e-1' });
	});

	it.each(['a/b', 'edit 7', '..', 'x'.repeat(201)])(
		'refuses %j, which no request can name, and quotes it',
		(id) => {
			const { error } = editCreationSchema.safeParse({ id });
			const quoted = `no usable edit ID in {"id":"${id}"}`;
			expect(error?.issues[0].message).toContain(quoted);
			expect(editCreationSchema.parse({ id, task_id: 'e-1' }).id).toBe('e-1');
		},
	);

	it('accepts a number', () => {
		expect(editCreationSchema.parse({ id: 42, queue: 'b' })).toEqual({ id: '42', queue: 'b' });
	});

	it.each<[unknown, string]>([
		[{ job: { uid: 'e-1' } }, '{"job":{"uid":"e-1"}}'],
		['accepted as e-1', 'accepted as e-1'],
		[{ link: 'https://files.example.com/e-1?sig=secret' }, 'https://files.example.com/e-1"'],
		[null, 'null'],
		[undefined, 'an empty response'],
	])('quotes %j, which contains no known id', (body, quoted) => {
		const { error } = editCreationSchema.safeParse(body);
		expect(error?.issues[0].message).toContain(`no edit ID in`);
		expect(error?.issues[0].message).toContain(quoted);
		expect(error?.issues[0].message).not.toContain('secret');
	});
});

describe('a charged result is read in any shape', () => {
	const read = (result: unknown) => editSchema.parse({ task_id: 'a', status: 'SUCCESS', result });

	it.each(['transcript', 'transcription'])('a %s that is a string', (key) => {
		const { result } = read({ [key]: 'Hello there.' });
		expect(result?.transcription).toEqual({ paragraphs: [{ text: 'Hello there.' }] });
	});

	it('a transcript that is a list', () => {
		const { result } = read({ transcript: [{ start: 1, end: 2, text: 'Hi.' }] });
		expect(result?.transcription?.paragraphs).toEqual([{ start: 1, end: 2, text: 'Hi.' }]);
	});

	it('a summary that is a string', () => {
		expect(read({ summary: 'Short.' }).result?.summarization).toMatchObject({ summary: 'Short.' });
	});

	it('statistics with an invalid count', () => {
		const { result } = read({ statistics: { BREATH: null, DEADAIR: 3, STUTTERING: '2' } });
		expect(result?.statistics).toEqual({ DEADAIR: 3, STUTTERING: 2 });
	});

	it('paragraphs, words, speakers and chapters with times that are strings or missing', () => {
		const { result } = read({
			transcription: {
				paragraphs: [
					{ id: 0, start: '0.0', end: '1.5', text: 'Hello.' },
					{ id: 1, start: null, text: 'Bye.' },
				],
				transcription: {
					words: [{ start: '0.25', end: 'soon', text: 7 }],
					paragraphs: [{ start: null, end: 2, speaker: 'Speaker 1' }],
				},
			},
			summarization: { chapters: [{ start: '12.5', title: 'A' }, { title: 'B' }] },
		});
		expect(result?.transcription?.paragraphs).toEqual([
			{ id: 0, start: 0, end: 1.5, text: 'Hello.' },
			{ id: 1, start: undefined, text: 'Bye.' },
		]);
		expect(result?.transcription?.transcription).toEqual({
			words: [{ start: 0.25, end: undefined, text: '7' }],
			paragraphs: [{ start: undefined, end: 2, speaker: 'Speaker 1' }],
		});
		expect(result?.summarization?.chapters).toEqual([{ start: 12.5, title: 'A' }, { title: 'B' }]);
	});

	it.each<[string, unknown]>([
		['an empty result', {}],
		['a result of nothing', { download_url: null, merged_audio_url: [], statistics: {} }],
	])('%s counts as not ready', (_name, result) => {
		expect(read(result).result).toBeUndefined();
	});

	it.each([null, '', undefined])('the superseded url if download_url is %j', (download_url) => {
		const { result } = read({ download_url, url: 'https://a/b' });
		expect(result?.download_url).toBe('https://a/b');
	});

	it.each<[unknown, string]>([
		[{ task_id: 42 }, '42'],
		[{ task_id: null, id: 'a' }, 'a'],
		[{}, ''],
	])('an edit that names itself %j', (names, taskId) => {
		expect(editSchema.parse({ ...Object(names), status: 'PENDING' }).task_id).toBe(taskId);
	});

	it('leaving the body itself unchanged', () => {
		const body = { id: 7, status: 'SUCCESS', result: { url: 'https://a/b', statistics: [1] } };
		const edit = editSchema.parse(body);
		expect(receivedBody(edit)).toBe(body);
		expect(body.result).toEqual({ url: 'https://a/b', statistics: [1] });
		expect(JSON.stringify(edit)).not.toContain('[1]');
		expect(receivedBody({ ...edit })).toMatchObject({ task_id: '7' });
	});
});

describe('the entries of a validation error', () => {
	it('are kept if one has no type or location', () => {
		const detail = [{ loc: ['body'], msg: 'Required' }, { msg: 'Too long' }, 'what'];
		expect(validationErrorSchema.parse({ detail }).detail).toMatchObject([
			{ loc: ['body'], msg: 'Required' },
			{ loc: [], msg: 'Too long' },
		]);
	});

	it.each([[[]], ['Not Found'], [['what']], [undefined]])('are absent from %j', (detail) => {
		expect(validationErrorSchema.safeParse({ detail }).success).toBe(false);
	});
});
