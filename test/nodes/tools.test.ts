import { OUR_NODES } from '../support/ourNodes';

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

		it('says what it does, what it takes and what is charged', () => {
			expect(text.length).toBeGreaterThan(80);
			// Each call sends models the text of every tool.
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
