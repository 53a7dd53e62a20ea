import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { systemTime } from '../../../api/time';
import { sourceNames } from '../../../nodes/core/files/sourceNames';
import { runOf } from '../../../testkit/n8n/nodeContext';
import { setUpCreateEdit as setUp, url } from '../../../testkit/n8n/createEdits';

type Failure = Error & { description: string; context: { itemIndex?: number } };

const failureOf = async (work: Promise<unknown>) =>
	await work.then(
		() => {
			throw new Error('It succeeded');
		},
		(error: unknown) => error as Failure,
	);

const CONTINUE = { continueOnFail: () => true };
const REFUSED = { status: 422, body: { detail: 'no' } };
const BROKEN = { status: 500, body: { detail: 'down' } };

describe('a created edit', () => {
	it('is in the log, with its ID as data for those who search it', async () => {
		const { create, infos, metas } = setUp();
		await create();
		const line = infos.findIndex((text) => text.includes('edit-1') && text.includes('execution 7'));
		expect(metas[line]).toEqual({ editId: 'edit-1' });
	});

	it('is output with what was sent, without secrets', async () => {
		const { create, bodies, paths, infos } = setUp({
			files: [`${url('a')}?token=secret-1`],
			fields: {
				cuts: { fillers: true },
				files: { signed_url: 'https://b.example.com/out?sig=secret-2' },
			},
		});
		expect(await create()).toEqual([
			{
				json: {
					editId: 'edit-1',
					sourceFileName: 'a.wav',
					files: [url('a')],
					config: { fillers: true, signed_url: 'https://b.example.com/out' },
					submittedAt: new Date(systemTime.timeOfDay()).toISOString(),
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(bodies()).toEqual([
			{
				files: [`${url('a')}?token=secret-1`],
				config: { fillers: true, signed_url: 'https://b.example.com/out?sig=secret-2' },
				upload_type: 'singletrack',
			},
		]);
		expect(paths()).toEqual(['/v2/edits']);
		expect(infos).toEqual(["Audio editing: edit edit-1 ('a.wav') was created in execution 7"]);
	});

	it('names its template, and uses its own endpoint for noise alone', async () => {
		const template = setUp({ fields: { configure: 'template', templateId: 12 } });
		expect((await template.create())[0].json.templateId).toBe(12);
		const noise = setUp({ fields: { 'advanced.jobType': 'noise' } });
		await noise.create();
		expect(noise.paths()).toEqual(['/v2/noise']);
	});

	it('with all items as its tracks is paired with all of them', async () => {
		const files = [url('a'), url('b'), url('c')];
		const { create, bodies } = setUp({ fields: { itemsAre: 'tracks' }, files });
		const made = await create();
		expect(made.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 1 }, { item: 2 }],
		]);
		expect(bodies()).toMatchObject([{ files, upload_type: 'multitrack' }]);
	});
});

describe('the names of several tracks', () => {
	const namesOf = (files: string[], ...items: IDataObject[]) =>
		sourceNames(
			runOf(
				{},
				items.map((json) => ({ json })),
			),
			[...items.keys()],
			files.map(url),
		);

	it('are those of the items, as one text and as a list', () => {
		const items = [{ sourceFileName: 'Anna.wav' }, { sourceFileName: 'Ben, Cleo.wav' }];
		expect(namesOf(['1', '2'], ...items)).toEqual({
			sourceFileName: 'Anna.wav, Ben, Cleo.wav',
			sourceFileNames: ['Anna.wav', 'Ben, Cleo.wav'],
		});
	});

	it('are no list if there are more files than names', () => {
		const items = [{ sourceFileName: 'Anna.wav' }, { sourceFileName: 'Ben.wav' }];
		expect(namesOf(['1', '2', '3'], ...items)).toEqual({ sourceFileName: 'Anna.wav, Ben.wav' });
	});

	it('are those of the URLs if an item has none', () => {
		expect(namesOf(['1', '2'], { sourceFileName: 'Anna.wav' }, {})).toEqual({
			sourceFileName: '1.wav, 2.wav',
			sourceFileNames: ['1.wav', '2.wav'],
		});
	});
});

describe('a recording that fails', () => {
	const files = [url('a'), url('b'), url('c')];
	const answers = [{ body: { id: 'e1' } }, REFUSED, { body: { id: 'e3' } }];

	it('ends the node with only the IDs created before it', async () => {
		const broken = setUp({
			files,
			answers: [{ body: { id: 'e1' } }, { body: { id: 'e2' } }, BROKEN],
		});
		expect((await failureOf(broken.create())).description).toMatch(
			/To get the results.*[^ ] Created in this run: e1 \('a\.wav'\), e2 \('b\.wav'\)\.$/,
		);
		const { create, bodies } = setUp({ files, answers });
		const { message, description } = await failureOf(create());
		expect(message).toMatch(/^b\.wav: could not create the edit: .*\[item 1\]$/);
		expect(description).toMatch(/No edit was created\. .*: e1 \('a\.wav'\)\.$/);
		expect(bodies()).toHaveLength(2);
	});

	it('has all IDs in its details if there are many, and in the log', async () => {
		const ids = ['e1', 'e2', 'e3', 'e4'];
		const { create, warnings } = setUp({
			files: [...ids.map(url), url('bad')],
			answers: [...ids.map((id) => ({ body: { id } })), REFUSED],
		});
		const { description, messages } = (await failureOf(create())) as Failure & {
			messages: string[];
		};
		expect(description).toMatch(/Created in this run: e1 .*, e2 .*, e3 .* and 1 more\.$/);
		const all = "Created in this run: e1 ('e1.wav'), e2 ('e2.wav'), e3 ('e3.wav'), e4 ('e4.wav')";
		expect(messages).toContain(all);
		expect(warnings).toEqual([`Audio editing: ${all}`]);
	});

	it('without a usable response is named in the log', async () => {
		const { create, warnings } = setUp({ answers: [BROKEN] });
		await failureOf(create());
		expect(warnings).toEqual([
			expect.stringMatching(
				/^Audio editing: an edit of 'a\.wav' may have been accepted\. Could not create the edit: /,
			),
		]);
	});

	it('names no IDs without created edits', async () => {
		const { description } = await failureOf(setUp({ files, answers: [REFUSED] }).create());
		expect(description).not.toContain('Created in this run');
	});
});

describe('a recording that fails, and a node that continues or is stopped', () => {
	const files = [url('a'), url('b'), url('c')];

	it('because of its form fails alone if the node continues', async () => {
		const { create, bodies } = setUp({ files: [url('a'), 'no url', url('c')], more: CONTINUE });
		const made = await create();
		expect(made.map(({ error }) => error?.message ?? '')).toEqual([
			'',
			expect.stringMatching(/'File URLs'.*\[item 1\]\. Nothing was sent\./),
			'',
		]);
		expect(bodies()).toHaveLength(2);
	});

	it('ends a stopped execution even if the node is set to continue', async () => {
		const stop = new AbortController();
		const warnings: string[] = [];
		const { create, sent } = setUp({
			files,
			more: {
				...CONTINUE,
				getExecutionCancelSignal: () => stop.signal,
				logger: {
					info: () => stop.abort(),
					warn: (line: string) => void warnings.push(line),
				} as object as IExecuteFunctions['logger'],
			},
		});
		const { message, description } = await failureOf(create());
		expect(message).toMatch(/stopped.*\[item 1\]$/);
		expect(description).toContain('edit-1');
		expect(sent).toHaveLength(1);
		expect(warnings).toEqual([
			"Audio editing: A Node (execution 7) was stopped; these edits keep running on the service: edit-1 ('a.wav')",
		]);
	});
});

describe('when the node runs again in the same execution', () => {
	const files = [url('a'), url('b')];

	it('outputs accepted edits unchanged, even if an expression returns another URL', async () => {
		const kept: IDataObject = {};
		const first = await setUp({ kept, files: [url('a')] }).create();
		const again = setUp({ kept, files: [url('changed')] });
		expect(await again.create()).toEqual(first);
		expect(again.sent).toEqual([]);
	});

	it('does not resend what may have been accepted, and says what the first try said', async () => {
		const kept: IDataObject = {};
		const { message } = await failureOf(setUp({ kept, answers: [BROKEN] }).create());
		const again = setUp({ kept });
		const repeated = await failureOf(again.create());
		expect(repeated.message).toBe(
			'a.wav: the edit was not sent again: an earlier attempt in this execution may have reached the service [item 0]',
		);
		expect(repeated.description).toContain(
			`attempt: ${message.replace('a.wav: could', 'Could')}. `,
		);
		expect(repeated.description).toMatch(/Look at your recent edits on the service/);
		expect(repeated.context.itemIndex).toBe(0);
		expect(again.sent).toEqual([]);
	});

	it('records edits under way as uncertain', async () => {
		const kept: IDataObject = {};
		let keptWhileSent = '';
		const { context, create } = setUp({ kept });
		const { helpers } = context;
		const send = helpers.httpRequestWithAuthentication;
		helpers.httpRequestWithAuthentication = async function (...given) {
			keptWhileSent = JSON.stringify(kept);
			return (await send.apply(this, given)) as unknown;
		};
		await create();
		expect(keptWhileSent).toContain('"submission":{"state":"uncertain","sourceFileName":"a.wav"}');
	});

	it('resends everything with another run index, as in a loop', async () => {
		const kept: IDataObject = {};
		await setUp({ kept, files }).create();
		const next = setUp({ kept, files, runIndex: 1 });
		expect((await next.create()).map(({ json }) => json.editId)).toEqual(['edit-1', 'edit-2']);
		expect(next.sent).toHaveLength(2);
	});

	it('keeps no request in the execution, only its hash', async () => {
		const kept: IDataObject = {};
		await setUp({ kept, files: [`${url('a')}?token=secret-1`] }).create();
		expect(JSON.stringify(kept)).not.toContain('secret-1');
		expect(JSON.stringify(kept)).toContain('edit-1');
	});
});

describe('as the tool of an agent', () => {
	const type = 'n8n-nodes-audio-editing.createEditTool';

	it('what may have been accepted is not resent in another run, and the error asks the model not to repeat it', async () => {
		const kept: IDataObject = {};
		const advice = /Do not create this edit again: ask the person/;
		const { description } = await failureOf(setUp({ kept, type, answers: [BROKEN] }).create());
		expect(description).toMatch(advice);
		const again = setUp({ kept, type, runIndex: 1 });
		expect((await failureOf(again.create())).description).toMatch(advice);
		expect(again.sent).toEqual([]);
		const refused = setUp({ type, answers: [REFUSED] });
		expect((await failureOf(refused.create())).description).not.toMatch(advice);
	});
});
