import {
	EDIT_CONFIG_DEFAULTS,
	EDIT_STATUSES,
	completedTasksSchema,
	editConfigSchema,
	editCreationSchema,
	editRequestSchema,
	editSchema,
	isFinalStatus,
	isKnownStatus,
	phaseOf,
	resolveEditConfig,
	reviewUrlIn,
} from '../../api/contract';

/* What a request may say, validation.test.mts proves with the same schema, over HTTP. */
it('each key of the edit request has a default, and the defaults satisfy it', () => {
	expect(Object.keys(EDIT_CONFIG_DEFAULTS).sort()).toEqual(
		Object.keys(editConfigSchema.shape).sort(),
	);
	const input = { files: ['https://files.example.com/a.wav'], config: EDIT_CONFIG_DEFAULTS };
	expect(editRequestSchema.safeParse({ input }).success).toBe(true);
});

describe('the edit request', () => {
	const isTaken = (config: object) => editConfigSchema.safeParse(config).success;

	it.each([
		[-36, true],
		[-6, true],
		[null, true],
		[-36.1, false],
		[-5.9, false],
		[0, false],
	])('takes a target of %j LUFS: %j', (target_lufs, expected) => {
		expect(isTaken({ target_lufs })).toBe(expected);
	});

	it.each(['auto', 'mp3', 'wav', 'flac', 'm4a', 'opus', 'aac'])('takes the format %s', (format) => {
		expect(isTaken({ export_format: format })).toBe(true);
	});

	it.each(['MP3', 'ogg', '', null])('does not take the format %j', (export_format) => {
		expect(isTaken({ export_format })).toBe(false);
	});
});

describe('the resolved configuration', () => {
	it('follows the keys that imply others', () => {
		expect(resolveEditConfig({ social_content: true })).toMatchObject({
			summarize: true,
			transcription: true,
		});
		expect(resolveEditConfig({ summarize: true }).transcription).toBe(true);
	});

	it('targets -16 LUFS by default', () => {
		expect(resolveEditConfig({ normalize: true }).target_lufs).toBe(-16);
		expect(resolveEditConfig({ normalize: true, target_lufs: -20 }).target_lufs).toBe(-20);
		expect(resolveEditConfig({}).target_lufs).toBeNull();
	});

	it('removes noise by default', () => {
		expect(resolveEditConfig(null).remove_noise).toBe(true);
		expect(resolveEditConfig({ remove_noise: false }).remove_noise).toBe(false);
	});
});

/** Every status of api.md#states, and its meaning. */
const PHASES = {
	PENDING: 'pending',
	STARTED: 'running',
	PREPROCESSING: 'running',
	CLASSIFICATION: 'running',
	EDITING: 'running',
	POSTPROCESSING: 'running',
	EXPORT: 'running',
	SUCCESS: 'succeeded',
	FAILURE: 'failed',
	RETRY: 'running',
};

it('knows the statuses of the API and no others', () => {
	expect([...EDIT_STATUSES].sort()).toEqual(Object.keys(PHASES).sort());
	expect(isKnownStatus('A_NEW_STATE')).toBe(false);
});

it.each(Object.entries(PHASES))('%s means %s', (status, phase) => {
	expect(isKnownStatus(status)).toBe(true);
	expect(phaseOf(status)).toBe(phase);
	expect(phaseOf(` ${status.toLowerCase()} `)).toBe(phase);
	expect(isFinalStatus(status)).toBe(phase === 'succeeded' || phase === 'failed');
});

const empty = { download_url: null, merged_audio_url: [], statistics: {} };

describe('an edit from the service', () => {
	it('counts as running if its status is unknown, and as not begun if it is QUEUED', () => {
		const edit = editSchema.parse({ task_id: 'a', status: 'REVIEWING', progress: 0.4 });
		expect(phaseOf(edit.status)).toBe('running');
		expect(isFinalStatus(edit.status)).toBe(false);
		expect(phaseOf('QUEUED')).toBe('pending');
		expect(edit).toHaveProperty('progress', 0.4);
	});

	it('is read in the superseded shape', () => {
		const edit = editSchema.parse({
			id: 'a',
			status: 'SUCCESS',
			result: {
				url: 'https://files.example.com/a.mp3',
				transcript: { paragraphs: [{ id: 0, start: 0, end: 1.5, text: 'Hello.' }] },
				summary: { title: 'T', summary: 'S' },
			},
		});
		expect(edit.task_id).toBe('a');
		expect(edit.result).toMatchObject({
			download_url: 'https://files.example.com/a.mp3',
			transcription: { paragraphs: [{ text: 'Hello.' }] },
			summarization: { title: 'T', summary: 'S', chapters: [] },
		});
	});

	it.each<[unknown]>([null, [], 'soon', {}, empty].map((result) => [result]))(
		'is not ready with the result %j',
		(result) => {
			expect(editSchema.parse({ task_id: 'a', status: 'SUCCESS', result }).result).toBeUndefined();
		},
	);
});

describe('a damaged edit from the service', () => {
	it('keeps its valid fields and loses the invalid ones', () => {
		const { result } = editSchema.parse({
			task_id: 'a',
			status: 'SUCCESS',
			result: {
				download_url: 'https://files.example.com/a.mp3',
				transcription: [],
				summarization: { title: 'T', chapters: [{ start: 0, title: 'Intro' }, { start: 'x' }] },
				social_content: [],
				statistics: [],
				merged_audio_url: null,
				timestamps_markers_urls: ['https://files.example.com/m.txt', 7],
				brand_new_key: { a: 1 },
			},
		});
		expect(result).toMatchObject({
			download_url: 'https://files.example.com/a.mp3',
			summarization: { chapters: [{ start: 0, title: 'Intro' }] },
			merged_audio_url: [],
			timestamps_markers_urls: ['https://files.example.com/m.txt'],
			brand_new_key: { a: 1 },
		});
		expect(result?.transcription).toBeUndefined();
		expect(result?.social_content).toBeUndefined();
	});

	it('is refused without a status', () => {
		expect(editSchema.safeParse({ task_id: 'a' }).success).toBe(false);
		expect(editSchema.safeParse('<html>').success).toBe(false);
	});
});

it('takes the ID of a task from id, and only without one from task_id', () => {
	const tasks = [{ id: 'a', task_id: 'b' }, { task_id: 'c' }, { id: null, task_id: 7 }];
	const read = completedTasksSchema.parse({ tasks });
	expect(read.tasks.map(({ id }) => id)).toEqual(['a', 'c', '7']);
});

it('reads a number from a text with one, and none from an empty text', () => {
	const lengths = ['1.5', 2, '', ' ', null, 'x'];
	const { tasks } = completedTasksSchema.parse({
		tasks: lengths.map((length_audio) => ({ id: 'a', length_audio })),
	});
	const none = undefined;
	expect(tasks.map((task) => task.length_audio)).toEqual([1.5, 2, none, none, none, none]);
});

it('keeps the valid entries of a list of tasks', () => {
	// Its id may be a number.
	const good = { id: 7, created_at: '2026-01-01T00:00:00Z', status: 'SUCCESS' };
	const { tasks } = completedTasksSchema.parse({ tasks: [good, { status: 'SUCCESS' }, null] });
	expect(tasks).toEqual([expect.objectContaining({ id: '7' })]);
});

describe('what a service sends about an edit', () => {
	it('may have a status of any name, of which 100 characters are kept', () => {
		const statusOf = (length: number) =>
			editSchema.parse({ task_id: 'a', status: 'X'.repeat(length) }).status;
		expect([30, 100, 101].map((length) => statusOf(length).length)).toEqual([30, 100, 100]);
	});

	it('may have its ID under another name, and the issue names up to five', () => {
		const ids = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`x${n}_id`, `id-${n}`]));
		const { error } = editCreationSchema.safeParse(ids);
		expect(error?.issues[0].message).toMatch(/\(IDs in it: id-1, id-2, id-3, id-4, id-5\)$/);
	});

	it.each([
		['http://review.example/a', true],
		['HTTPS://review.example/a', true],
		['ftp://review.example/a', false],
		['review.example/a', false],
		[7, false],
	])('may have a link for its review: %s', (url, isLink) => {
		expect(reviewUrlIn({ id: 'a', review_url: url })).toBe(isLink ? url : undefined);
	});
});
