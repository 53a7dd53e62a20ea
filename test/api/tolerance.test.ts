import {
	editCreationSchema,
	editSchema,
	receivedBody,
	validationErrorSchema,
} from '../../api/contract';

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

const read = (result: unknown) => editSchema.parse({ task_id: 'a', status: 'SUCCESS', result });

const text = 'Hello there.';

describe('a charged result is read in any shape', () => {
	const entries = [{ start: 1, end: 2, text: 'Hi.' }];

	it.each<[object, string, unknown]>([
		[{ transcript: text }, 'transcription', { paragraphs: [{ text }] }],
		[{ transcription: text }, 'transcription', { paragraphs: [{ text }] }],
		[{ transcript: entries }, 'transcription.paragraphs', entries],
		[{ summary: 'Short.' }, 'summarization.summary', 'Short.'],
		[{ statistics: { BREATH: null, STUTTERING: '2' } }, 'statistics', { STUTTERING: 2 }],
		[{ url: 'https://a/b' }, 'download_url', 'https://a/b'],
		[{ download_url: '', url: 'https://a/b' }, 'download_url', 'https://a/b'],
		[{ download_url: null, url: 'https://a/b' }, 'download_url', 'https://a/b'],
	])('%j, in %s', (result, key, value) => {
		expect(read(result).result).toHaveProperty(key, value);
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

describe('of a charged result are read', () => {
	it.each([
		['summarization', 'title summary key_learnings summary_of_summary episode_description'],
		['social_content', 'newsletter twitter_thread linkedin'],
	])('the other texts of %s beside one that is null, missing or no text', (key, names) => {
		const all = names.split(' ');
		for (const odd of all) {
			for (const nothing of [null, undefined, {}, ['a']]) {
				const texts = Object.fromEntries(all.map((name) => [name, name === odd ? nothing : text]));
				const { result } = read({ [key]: texts });
				const others = all.filter((name) => name !== odd).map((name) => [name, text]);
				expect(result).toMatchObject({ [key]: Object.fromEntries(others) });
			}
		}
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
