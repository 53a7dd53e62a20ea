import { refuseUploads } from '../../../nodes/core/skip/skipIdentity';
import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { type SkipCode, skippedItem } from '../../../nodes/core/skip/skippedItem';
import { readSkipChoice } from '../../../nodes/core/skip/skipRule';
import { runAgent } from '../../../testkit/n8n/agentRun';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { runOf, formOf } from '../../../testkit/n8n/nodeContext';
import { FILE } from '../../../testkit/service/scriptedSubmissions';
import {
	BY_NAME_AND_SIZE,
	BY_URL,
	byValue,
	uploaded,
	useSkipping,
} from '../../../testkit/n8n/skipping';
import { chain, runChain } from '../../../testkit/n8n/workflows';

const { store, submissions, execution } = useSkipping();

describe('a recording that an earlier execution submitted', () => {
	it('leaves by the second output, and is not submitted', async () => {
		const first = await execution(BY_URL);
		expect(first.out.map(({ json }) => json.editId)).toEqual(['edit-1']);
		expect(first.skipped).toEqual([]);
		const second = await execution(BY_URL);
		expect(second.submitted).toBe(1);
		expect(second.out).toEqual([]);
		expect(second.skipped).toEqual([
			expect.objectContaining({
				json: {
					skipped: true,
					skipCode: 'editedBefore',
					editId: 'edit-1',
					skipReason: expect.stringContaining('recognized the URL'),
					sourceFileName: 'a.wav',
					files: [FILE],
				},
				pairedItem: { item: 0 },
			}),
		]);
	});

	it('is not known to another node of the workflow', async () => {
		const parameters = { ...BY_URL, fileUrls: FILE };
		const nodes = ['first', 'second'].map((name) => ({ type: 'createEdit', name, parameters }));
		const run = await runChain(submissions.service, chain(...nodes));
		expect(itemsOf(run, 'second').map(({ json }) => json.editId)).toEqual(['edit-2']);
	});

	it('is recognized by its URL without the signature', async () => {
		const signed = (signature: string) => [
			{ fileUrl: `${FILE}?id=1&X-Amz-Signature=${signature}` },
		];
		await execution(BY_URL, signed('a'));
		const again = await execution(BY_URL, signed('b'));
		expect(again.skipped).toHaveLength(1);
		const other = await execution(BY_URL, [{ fileUrl: `${FILE}?id=2&X-Amz-Signature=a` }]);
		expect(other.submitted).toBe(2);
	});

	it('is recognized by the name and size that Upload outputs', async () => {
		await execution(BY_NAME_AND_SIZE, [uploaded(100)]);
		const again = await execution(BY_NAME_AND_SIZE, [uploaded(100), uploaded(101)]);
		expect(again.skipped.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(again.skipped[0].json.skipReason).toContain('recognized the file name and size');
		expect(again.out.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		const renamed = await execution(BY_NAME_AND_SIZE, [uploaded(100, 'other.wav')]);
		expect(renamed.submitted).toBe(3);
	});
});

describe('a recording that was submitted before', () => {
	it('is recognized by the name and size of the file in the item', async () => {
		const audio = { data: 'UklGRg==', mimeType: 'audio/wav', fileName: 'talk.wav', bytes: 4 };
		const cover = { data: '', mimeType: 'image/png', fileName: 'cover.png', bytes: 9 };
		const submit = async (bytes: number, fileUrl: string) => {
			const workflow = chain({ type: 'createEdit', parameters: BY_NAME_AND_SIZE });
			const binary = { data: { ...audio, bytes }, cover: { ...cover, bytes: Math.random() } };
			await runChain(submissions.service, workflow, [{ json: { fileUrl }, binary }]);
			return submissions.service.seen.length;
		};
		expect(await submit(4, `${FILE}?1`)).toBe(1);
		expect(await submit(4, `${FILE}?2`)).toBe(1);
		expect(await submit(5, `${FILE}?2`)).toBe(2);
	});

	it('is recognized by your own value', async () => {
		await execution(byValue('={{ $json.id }}'), [{ fileUrl: FILE, id: 7 }]);
		const other = [
			{ fileUrl: `${FILE}?again`, id: ' 7 ' },
			{ fileUrl: FILE, id: 8 },
		];
		const again = await execution(byValue('={{ $json.id }}'), other);
		expect(again.skipped).toHaveLength(1);
		expect(again.skipped[0].json.skipReason).toContain('recognized your value');
		expect(again.submitted).toBe(2);
	});

	it('of several tracks is recognized in any order of its tracks', async () => {
		const tracks = ['host', 'guest'].map((name) => ({
			fileUrl: `https://f.example.com/${name}.wav`,
		}));
		const parameters = { ...BY_URL, itemsAre: 'tracks' };
		await execution(parameters, tracks);
		const again = await execution(parameters, tracks.toReversed());
		expect(again.submitted).toBe(1);
		expect(again.skipped[0].pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('is skipped for an agent in the answer that its model reads', async () => {
		const tool = { type: 'createEdit', parameters: { ...BY_URL, fileUrls: FILE } };
		const call = [[{ tool: 'createEdit' }]];
		await runAgent(submissions.service, [tool], call);
		const { answers } = await runAgent(submissions.service, [tool], call);
		expect(submissions.service.seen).toHaveLength(1);
		expect(answers[0]).toContain('"skipped":true');
	});
});

it('a node that one bad item ends has output nothing: the next execution outputs the others', async () => {
	let calls = 0;
	submissions.service.answer = () => {
		calls += 1;
		return calls === 2 ? { status: 422, body: {} } : { body: { id: `edit-${calls}` } };
	};
	const items = [{ fileUrl: FILE }, { fileUrl: 'https://f.example.com/b.wav' }];
	expect((await execution(BY_URL, items)).error?.message).toContain('[item 1]');
	const { out, skipped } = await execution(BY_URL, items);
	expect(out.map(({ json }) => json.editId)).toEqual(['edit-1', 'edit-3']);
	expect(skipped).toEqual([]);
});

it('Retry On Fail goes on with the edits that this execution submitted', async () => {
	let calls = 0;
	submissions.service.answer = () => {
		calls += 1;
		return calls === 2 ? { status: 409 } : { body: { id: `edit-${calls}` } };
	};
	const items = [{ fileUrl: FILE }, { fileUrl: 'https://f.example.com/b.wav' }];
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const { out, skipped } = await execution(BY_URL, items, retry);
	expect(out.map(({ json }) => json.editId)).toEqual(['edit-1', 'edit-3']);
	expect(skipped).toEqual([]);
});

it('leaves the error output to failed items, and the second one to skipped recordings', async () => {
	const items = ['a', 'bad', 'c'].map((name) => ({ fileUrl: `https://f.example.com/${name}.wav` }));
	await execution(BY_URL, [items[2]]);
	submissions.service.answer = () =>
		submissions.service.seen.at(-1)?.body.includes('bad')
			? { status: 422, body: { detail: 'no' } }
			: { body: { id: 'edit-2' } };
	const settings = { onError: 'continueErrorOutput' } as const;
	const { run } = await submissions.create(BY_URL, items, settings);
	const paired = [0, 1, 2].map((output) =>
		itemsOf(run, 'createEdit', output).map(({ pairedItem }) => pairedItem),
	);
	expect(paired).toEqual([[{ item: 0 }], [{ item: 2 }], [{ item: 1 }]]);
	// Without a skipped recording, the error output is still the third.
	const { run: none } = await submissions.create(BY_URL, [items[1]], settings);
	expect(itemsOf(none, 'createEdit', 2)).toHaveLength(1);
});

it('an n8n that cannot remember refuses the option before anything is sent', () => {
	const helpers = {} as IExecuteFunctions['helpers'];
	const read = () => readSkipChoice(runOf({ helpers }), formOf({ skipEdited: 'url' }));
	expect(read).toThrow(
		expect.objectContaining({
			message: expect.stringContaining('needs a newer n8n'),
			description: expect.stringContaining('remove the option'),
		}),
	);
	expect(readSkipChoice(runOf({ helpers }), formOf({}))).toBeUndefined();
});

describe('refuses before anything is sent', () => {
	const NAMELESS = { fileUrl: FILE };

	it.each<[string, INodeParameters, IDataObject, RegExp, string]>([
		['a recording without a size', BY_NAME_AND_SIZE, NAMELESS, /no name and size/, 'Upload node'],
		['an empty value', byValue('={{ $json.id }}'), NAMELESS, /'Your Own Value' is empty/, 'Enter'],
	])('%s', async (_what, parameters, bad, message, advice) => {
		const good = {
			fileUrl: 'https://f.example.com/good.wav',
			fileName: 'g.wav',
			sizeBytes: 5,
			id: 1,
		};
		const { error, submitted } = await execution(parameters, [good, bad]);
		expect(error?.message).toMatch(message);
		expect(error?.message).toContain('[item 1]');
		expect(error?.description).toContain('Nothing was sent.');
		expect(error?.description).toContain(advice);
		expect(submitted).toBe(0);
		expect(store.rows.size).toBe(0);
	});
});

describe('a file from Upload is not recognized by its URL:', () => {
	const url = 'https://files.example.com/1';
	const named = { fileName: 'a.wav', sizeBytes: 1 };
	const refusalOf = (...items: object[]) => {
		const given = items.map((json) => ({ json: { ...json } }));
		const run = runOf({}, given);
		const indices = [...given.keys()];
		try {
			refuseUploads(run, indices, [url]);
			return undefined;
		} catch (error) {
			return (error as Error).message;
		}
	};
	const REFUSED =
		'cannot recognize a file from Audio Editing Upload by its URL: each upload has its own URL [item';

	it.each<[object[], string]>([
		[[{ fileUrl: url, ...named }], `${REFUSED} 0]`],
		[[{ fileUrls: ['https://b.example', url], files: [named, named] }], `${REFUSED} 0]`],
		[[{ fileUrl: 'https://b.example' }, { fileUrl: url, ...named }], `${REFUSED} 1]`],
	])('%j', (items, message) => {
		expect(refusalOf(...items)).toContain(message);
	});

	it.each<[object]>([
		[{ fileUrl: url }],
		[{ fileUrl: 'https://b.example', ...named }],
		[{ fileUrl: url, fileName: '', sizeBytes: 1 }],
		[{ fileUrl: url, fileName: 5, sizeBytes: 1 }],
		[{ fileUrl: url, fileName: 'a.wav', sizeBytes: '1' }],
		[{ fileUrl: url, files: [null] }],
		[{ fileUrl: url, files: ['a.wav'] }],
		[{ fileUrl: url, files: [named, {}] }],
		[{ fileUrl: url, ...named, files: [] }],
	])('but %j is not from Upload', (item) => {
		expect(refusalOf(item)).toBeUndefined();
	});
});

it.each<[SkipCode, RegExp]>([
	['editedBefore', /has output its result: it recognized the content of the file\.$/],
	[
		'failedBefore',
		/Check that the file plays; 'Retry After a Failure' says when it is submitted again/,
	],
	[
		'failedTwice',
		/unless you change the settings .* 'Retry After a Failure' to 'Always Submit Again'/,
	],
	['overLimit', /The next execution submits this recording/],
	['inWork', /Another execution is working .* A later execution skips it, or fetches its result/],
	['tooOld', /more than 7 days ago, .*The service has deleted it/],
	['deletedByUs', /This workflow has deleted .* without this option/],
	[
		'otherCredential',
		/another base URL or credential.* with that credential and an Audio Editing Get Result node/,
	],
	['uncertain', /counts as edited from now on, because 'If Uncertain' is set to 'Skip'/],
])('a recording that is skipped as %s says why, and what comes next', (code, reason) => {
	const { json } = skippedItem({ code, way: 'content' }, {}, {});
	expect(json).toMatchObject({ skipped: true, skipCode: code });
	expect(json.skipReason).toMatch(reason);
});
