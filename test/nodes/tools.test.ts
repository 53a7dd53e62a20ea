import { callAsTool } from '../support/callAsTool';
import { startEngine } from '../support/n8nEngine';
import { OUR_NODES } from '../support/ourNodes';
import { startScriptedService } from '../support/scriptedService';

const TOOLS = Object.values(OUR_NODES).filter(({ description }) => description.usableAsTool);

it('every node but the trigger can be an agent’s tool', () => {
	const others = Object.keys(OUR_NODES).length - TOOLS.length;
	expect(others).toBe(1);
});

describe.each(TOOLS.map(({ description }) => [description.displayName, description] as const))(
	'%s as a tool',
	(_name, { usableAsTool, properties }) => {
		const text =
			typeof usableAsTool === 'object' ? (usableAsTool.replacements?.description ?? '') : '';

		it('tells an agent what it does, what it takes and what it costs', () => {
			expect(text.length).toBeGreaterThan(80);
			// Models are given every tool's text with every call.
			expect(text.length).toBeLessThan(400);
			expect(text).toMatch(/editId|fileUrl|credit/);
		});

		it('explains each of its fields', () => {
			const unexplained = properties
				.filter(({ type }) => type !== 'notice')
				.filter(({ description, hint, options, name }) => {
					const isChoice = name === 'resource' || name === 'operation' || name === 'options';
					return !isChoice && !description && !hint && !options;
				});
			expect(unexplained.map(({ name }) => name)).toEqual([]);
		});
	},
);

const TEXT = 'word '.repeat(20_000);

it.each([
	['texts', { simplify: true }, `${TEXT.length} characters in all`],
	['raw words', { simplify: false }, '20000 entries in all'],
	['subtitles', { alsoReturn: ['subtitlesSrt'] }, 'characters in all'],
])('Get Result gives an agent the beginning of long %s', async (_what, parameters, told) => {
	await startEngine();
	const words = TEXT.trim()
		.split(' ')
		.map((text, id) => ({ id, text, start: id, end: id + 1 }));
	const transcription = { paragraphs: [{ id: 0, start: 0, end: 9, text: TEXT }], words };
	const result = { filename: 'a.mp3', transcription };
	const service = await startScriptedService(() => ({
		body: { task_id: 'a', status: 'SUCCESS', result },
	}));
	const asked = { editId: 'a', download: [], ...parameters };
	const [answer] = await callAsTool(service, { nodeName: 'getResult', parameters: asked });
	await service.stop();
	expect(answer.length).toBeLessThan(20_000);
	expect(answer).toContain(told);
});
