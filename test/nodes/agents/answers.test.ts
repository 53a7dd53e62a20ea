import { type IDataObject, type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { runAgent, type ToolCall } from '../../support/agentRun';
import { callAsTool } from '../../support/callAsTool';
import { fullResult } from '../../support/fullResult';
import { groupedFormats } from '../../support/grouped';
import { OUR_NODES, versionOf } from '../../support/ourNodes';
import { OUR_TOOLS } from '../../support/toolTypes';
import { type UsedService, useService } from '../../support/useService';
import { type NodeSpec } from '../../support/workflows';

const TEXT = 'word '.repeat(20_000);

const WORDS = TEXT.trim()
	.split(' ')
	.map((text, id) => ({ id, text, start: id, end: id + 1 }));

const LINK = 'http://127.0.0.1:9/a';

const RESULT = {
	filename: 'a.mp3',
	download_url: `${LINK}.mp3`,
	merged_audio_url: [`${LINK}-merged.mp3`],
	timestamps_markers_urls: [`${LINK}.csv`],
	transcription: { paragraphs: [{ id: 0, start: 0, end: 9, text: TEXT }], words: WORDS },
};

const EDITS: Record<string, object> = {
	done: { status: 'SUCCESS', result: RESULT },
	running: { status: 'EDITING' },
};

const CONFIGURATIONS = Array.from({ length: 300 }, (_entry, id) => ({
	id,
	name: `Template ${id}`,
	upload_type: 'singletrack',
}));

/** Polls at once, and soon stops waiting. */
const SOON = { options: { firstPollDelaySeconds: 0 }, maximumWaitMinutes: 0.2 };
const SUBTITLES = groupedFormats(['subtitlesSrt']);
const TEMPLATES = { resource: 'configuration', operation: 'getAll', returnAll: true };

const service = useService(({ path }) => {
	if (path === '/v2/configurations') return { body: { configurations: CONFIGURATIONS } };
	const id = path.split('/').at(-1) ?? '';
	return id in EDITS ? { body: { task_id: id, ...EDITS[id] } } : { status: 404 };
});

/** Returns the answers to agents of both kinds, version 3 first. */
async function answersOf(type: string, parameters: NodeSpec['parameters'] = {}): Promise<string[]> {
	const call: ToolCall = { tool: type };
	const { answers } = await runAgent(service, [{ type, parameters }], [[call]]);
	const older = await callAsTool(service, { nodeName: type, parameters });
	return [...answers, ...older.map((answer) => JSON.parse(answer) as string)];
}

it.each<[string, string, INodeParameters, string]>([
	['long texts', 'getResult', {}, `${TEXT.length} characters in all`],
	['raw words', 'getResult', { output: 'raw' }, '20000 entries in all'],
	['subtitles', 'getResult', SUBTITLES, 'characters in all'],
	['subtitles as files', 'getResult', { ...SUBTITLES, returnAs: 'files' }, 'subtitlesSrt'],
	['a raw response', 'waitForEdit', { output: 'raw', ...SOON }, '20000 entries in all'],
	['templates', 'account', TEMPLATES, '300 entries in all'],
])('an agent receives only the beginning of %s', async (_what, type, parameters, cut) => {
	for (const answer of await answersOf(type, { editId: 'done', ...parameters })) {
		expect(answer.length).toBeLessThan(20_000);
		expect(answer).toContain(cut);
	}
});

describe('Get Result as a tool', () => {
	it('returns links and downloads nothing', async () => {
		const parameters = { editId: 'done', download: ['edited', 'merged', 'markers'] };
		for (const answer of await answersOf('getResult', parameters)) {
			expect(answer).toContain(RESULT.download_url);
			expect(answer).toContain(RESULT.merged_audio_url[0]);
			expect(answer).toContain(RESULT.timestamps_markers_urls[0]);
		}
		expect(service.seen.map(({ path }) => path)).toEqual(['/v2/edits/done', '/v2/edits/done']);
	});
});

describe('Wait For Edit as a tool', () => {
	it.each(['passOn', 'secondOutput'])('waits for the edit with %s', async (whenTimeIsUp) => {
		const parameters = { editId: 'done', whenTimeIsUp, ...SOON };
		for (const answer of await answersOf('waitForEdit', parameters)) {
			const [edit] = JSON.parse(answer) as object[];
			expect(edit).toMatchObject({ editId: 'done', status: 'SUCCESS', finished: true });
		}
	});

	it.each(['passOn', 'secondOutput'])(
		'answers that the edit still runs: %s',
		async (whenTimeIsUp) => {
			const parameters = { editId: 'running', whenTimeIsUp, ...SOON };
			for (const answer of await answersOf('waitForEdit', parameters)) {
				const [edit] = JSON.parse(answer) as object[];
				expect(edit).toMatchObject({ editId: 'running', status: 'EDITING', finished: false });
			}
		},
	);
});

describe('the choice of fields', () => {
	const FILE = 'https://files.example.com/a.wav';
	const SELECTED = { output: 'selected', fieldsToInclude: ['chapters', 'edits'] };

	/** The nodes whose tool has 'Output', and what it needs besides. */
	const TOOLS: Array<[type: string, INodeParameters]> = [
		['audioEditing', { fileUrls: FILE, download: [] }],
		['getResult', { editId: 'a', download: [] }],
		['waitForEdit', { editId: 'a' }],
	];

	/** What some services send back of the request, and names that our nodes use, too. */
	const ECHO = {
		config: { signed_url: 'https://bucket.example.com/up.wav?X-Amz-Signature=s3cret' },
		input: { files: ['https://me:s3cret@files.example.com/a.wav?sig=s3cret'] },
		message: 'read https://files.example.com/a.wav?sig=s3cret and stored it',
		finished: 'no',
		sourceFileName: 'theirs.wav',
		editId: 'theirs',
	};

	const service: UsedService = useService(({ method }) => {
		if (method === 'POST') return { body: { id: 'a' } };
		return { body: { ...ECHO, task_id: 'a', status: 'SUCCESS', result: fullResult(service.url) } };
	});

	/** What the model reads of the finished edit. */
	async function answerOf(type: string, parameters: INodeParameters): Promise<IDataObject> {
		const items = [{ json: { sourceFileName: 'a.wav' } }];
		const tools = [{ type, parameters }];
		const { answers } = await runAgent(service, tools, [[{ tool: type }]], { items });
		return (JSON.parse(answers[0]) as IDataObject[])[0];
	}

	describe.each(TOOLS)('the output of %s to an agent', (type, parameters) => {
		it('is simplified by default', async () => {
			const answer = await answerOf(type, parameters);
			expect(answer).toMatchObject({ editId: 'a', status: 'SUCCESS', fileName: 'episode 12.mp3' });
			expect(answer).not.toHaveProperty('result');
		});

		it('is raw without the secrets of the request, with the links of the result', async () => {
			const answer = await answerOf(type, { ...parameters, output: 'raw' });
			expect(answer).toMatchObject({
				config: { signed_url: 'https://bucket.example.com/up.wav' },
				input: { files: ['https://files.example.com/a.wav'] },
				message: 'read https://files.example.com/a.wav and stored it',
				result: { download_url: fullResult(service.url).download_url },
			});
			expect(JSON.stringify(answer)).not.toContain('s3cret');
			// What the node itself adds wins over the service's fields of these names.
			expect(answer).toMatchObject({ editId: 'a', sourceFileName: 'a.wav' });
			if (type !== 'getResult') expect(answer.finished).toBe(true);
		});

		it('refuses a field that an edit does not have before the first request', async () => {
			const asked = { ...parameters, ...SELECTED, fieldsToInclude: ['chapters', 'price'] };
			const tools = [{ type, parameters: asked }];
			const { answers } = await runAgent(service, tools, [[{ tool: type }]]);
			expect(answers[0]).toMatch(/'Fields to Include' has no option.*price.*Nothing was sent/);
			expect(service.seen).toEqual([]);
		});

		it('has only the selected fields of the edit, and its ID', async () => {
			const answer = await answerOf(type, { ...parameters, ...SELECTED });
			expect(answer).toMatchObject({
				editId: 'a',
				edits: '12 fillers, 7 breaths, 3 long silences, 1 mouth sound',
				chapters: [{ title: 'Welcome' }, { title: 'Patience' }],
			});
			for (const field of ['fileName', 'title', 'summary', 'transcript', 'result'])
				expect(answer).not.toHaveProperty(field);
		});

		it('is chosen in a field that only tools have; workflows have Simplify', () => {
			const saved = { output: 'selected', options: { simplify: false } };
			const shown = (node: { description: (typeof OUR_NODES)[string]['description'] }) => {
				const { options, ...fields } =
					NodeHelpers.getNodeParameters(
						...([node.description.properties, saved, true, false] as const),
						{ typeVersion: versionOf(type) },
						node.description,
					) ?? {};
				return Object.keys({ ...fields, ...(options as INodeParameters) }).filter((name) =>
					['simplify', 'output', 'fieldsToInclude'].includes(name),
				);
			};
			expect(shown(OUR_NODES[`n8n-nodes-audio-editing.${type}`])).toEqual(['simplify']);
			expect(shown(OUR_TOOLS[`n8n-nodes-audio-editing.${type}Tool`])).toEqual([
				'output',
				'fieldsToInclude',
			]);
		});
	});
});
