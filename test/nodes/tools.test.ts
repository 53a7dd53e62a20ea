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

it('Get Result gives an agent the beginning of a long transcript, and its length', async () => {
	await startEngine();
	const text = 'word '.repeat(20_000);
	const result = {
		filename: 'a.mp3',
		transcription: { paragraphs: [{ id: 0, start: 0, end: 9, text }] },
	};
	const service = await startScriptedService(() => ({
		body: { task_id: 'a', status: 'SUCCESS', result },
	}));
	const answer = await callAsTool(service, 'getResult', { editId: 'a', download: [] }, 1);
	await service.stop();
	expect(answer.length).toBeLessThan(6_000);
	expect(answer).toContain(`${text.length} characters in all`);
});
