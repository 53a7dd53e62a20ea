import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runAgent } from '../../../testkit/n8n/agentRun';
import { callAsTool } from '../../../testkit/n8n/callAsTool';
import { FILE, useScriptedSubmissions } from '../../../testkit/service/scriptedSubmissions';
import { accept } from '../../../testkit/service/useService';

/*
 * An agent of version 3 passes on whatever its model fills in, of whatever type. Agents before it check the
 * type that the tool states, and tell the model.
 */

const { service } = useScriptedSubmissions();

/** What an agent of version 3 answers to a call with these values. */
async function answerOf(type: string, input: IDataObject, options: INodeParameters = {}) {
	const tool = { type, parameters: options };
	const { answers } = await runAgent(service, [tool], [[{ tool: type, input }]]);
	return answers.join();
}

const pathsSeen = () => service.seen.map(({ method, path }) => `${method} ${path}`);

const configSent = () => JSON.parse(service.seen[0].body).input.config;

const NO_TEXTS = [true, ['e-7'], { id: 'e-7' }];

beforeEach(() => {
	service.answer = (request, number) =>
		request.method === 'GET'
			? { body: { task_id: 'e-7', status: 'SUCCESS', result: { filename: 'a.wav' } } }
			: accept(request, number);
});

describe.each(['delete', 'getResult', 'waitForEdit'])('the ID for %s', (type) => {
	it('may be a number: some services count their edits', async () => {
		expect(await answerOf(type, { editId: 1_234 })).toContain('1234');
		expect(pathsSeen()).toEqual([expect.stringMatching(/ \/v2\/edits\/1234$/)]);
	});

	it.each(NO_TEXTS)('that is %j is refused, and the model told what to pass', async (editId) => {
		expect(await answerOf(type, { editId })).toContain(
			"'Edit ID' is not a text [item 0]. Nothing was sent. Pass the editId that Audio Editing Create Edit returned.",
		);
		expect(pathsSeen()).toEqual([]);
	});

	it.each([null, '', 'null', 'undefined'])('that is %j counts as empty', async (editId) => {
		expect(await answerOf(type, { editId })).toContain(
			"'Edit ID' is empty [item 0]. Nothing was sent. Pass the editId that Audio Editing Create Edit returned.",
		);
		expect(pathsSeen()).toEqual([]);
	});
});

describe('the URL for Create Edit', () => {
	it.each([[[FILE]], [{ fileUrl: FILE }]])('may come as %j', async (fileUrl) => {
		expect(await answerOf('createEdit', { fileUrl })).toContain('edit-1');
		expect(JSON.parse(service.seen[0].body).input.files).toEqual([FILE]);
	});

	it.each([12, true, { url: FILE }, [[FILE]]])(
		'that is %j is named, and refused',
		async (fileUrl) => {
			const answer = await answerOf('createEdit', { fileUrl });
			expect(answer).toMatch(/'File URLs' contains something that is not an http or https URL: '/);
			expect(answer).not.toContain('is empty');
			expect(pathsSeen()).toEqual([]);
		},
	);
});

it.each([1, true, ['enhance'], ''])('the preset %j is refused', async (preset) => {
	expect(await answerOf('createEdit', { fileUrl: FILE, preset })).toMatch(
		/'Preset' (is empty|has no)/,
	);
	expect(pathsSeen()).toEqual([]);
});

const fillers = (type: string) => ({ fillers: `={{ $fromAI('value', '', '${type}') }}` });
const loudness = (type: string) => ({
	normalize: true,
	target_lufs: `={{ $fromAI('value', '', '${type}') }}`,
});
const call = (value: unknown) => ({ fileUrl: FILE, preset: 'none', value }) as IDataObject;

describe.each(['boolean', 'number', 'string'])(
	'a switch that the model fills in as a %s',
	(type) => {
		it.each<[unknown, boolean]>([
			[true, true],
			['true', true],
			['TRUE', true],
			[1, true],
			['1', true],
			[false, false],
			['false', false],
			[0, false],
		])('is for %j %j', async (value, expected) => {
			await answerOf('createEdit', call(value), fillers(type));
			expect(configSent()).toEqual({ fillers: expected });
		});

		it.each(['yes', -16, null, '', [true]])('is refused for %j', async (value) => {
			const answer = await answerOf('createEdit', call(value), fillers(type));
			expect(answer).toContain("'Fillers (Um, Uh)' must be true or false, not");
			expect(pathsSeen()).toEqual([]);
		});
	},
);

describe.each(['number', 'string'])('a number that the model fills in as a %s', (type) => {
	it.each([-16.5, '-16.5', ' -16.5 '])('is for %j a number', async (value) => {
		await answerOf('createEdit', call(value), loudness(type));
		expect(configSent()).toEqual({ normalize: true, target_lufs: -16.5 });
	});

	it.each(['-16 LUFS', true, 'true', '', null, [-16]])('is refused for %j', async (value) => {
		const answer = await answerOf('createEdit', call(value), loudness(type));
		expect(answer).toContain("'Target Loudness (LUFS)'");
		expect(pathsSeen()).toEqual([]);
	});

	it.each(['five', true, '', null, [5]])('is refused for %j as a time, too', async (value) => {
		const options = { maximumWaitMinutes: `={{ $fromAI('value', '', '${type}') }}` };
		const answer = await answerOf('waitForEdit', { editId: 'e-7', value } as IDataObject, options);
		expect(answer).toContain("'Maximum Wait (Minutes)' must be a number of 0 or more, not");
		expect(pathsSeen()).toEqual([]);
	});
});

it.each(['signed_url', 'mute_lufs'])('an option that gets nothing is refused: %s', async (name) => {
	const options = { [name]: "={{ $fromAI('value', '', 'string') }}" };
	const answer = await answerOf('createEdit', call(null), options);
	expect(answer).toMatch(/'(Upload Result To|Loudness Floor \(LUFS\))' is empty/);
	expect(pathsSeen()).toEqual([]);
});

it('an agent before version 3 tells its model the type, and sends nothing', async () => {
	const [answer] = await callAsTool(service, {
		nodeName: 'delete',
		parameters: {},
		inputs: [{ editId: 12 }],
	});
	expect(answer).toMatch(/did not match expected schema.*Expected string, received number/s);
	expect(pathsSeen()).toEqual([]);
});
