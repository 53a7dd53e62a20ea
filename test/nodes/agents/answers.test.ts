import { type INodeParameters } from 'n8n-workflow';
import { runAgent, type ToolCall } from '../../../testkit/n8n/agentRun';
import { callAsTool } from '../../../testkit/n8n/callAsTool';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import { useService } from '../../../testkit/service/useService';
import { type NodeSpec } from '../../../testkit/n8n/workflows';

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
const SOON = { advanced: { firstPollDelaySeconds: 0 }, maximumWaitMinutes: 0.2 };

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
