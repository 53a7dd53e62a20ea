import { addHint, showHints } from '../../nodes/shared/hints';
import { nodeContext } from '../support/nodeContext';

function contextWithHints() {
	const hints: unknown[] = [];
	const context = nodeContext({ addExecutionHints: (...given) => void hints.push(...given) });
	return { context, hints };
}

const hint = (message: string) => ({ message, type: 'warning', location: 'outputPane' });

it('a hint appears once at the end, however often it was added', () => {
	const { context, hints } = contextWithHints();
	addHint(context, 'Look out.');
	addHint(context, 'Look out.');
	expect(hints).toEqual([]);
	showHints(context);
	expect(hints).toEqual([hint('Look out.')]);
	showHints(context);
	expect(hints).toHaveLength(1);
});

it.each([
	[['a', 'a', 'b'], 'a, b: is long'],
	[['a', 'b', 'c'], 'a, b, c: is long'],
	[['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more: is long'],
])('a hint about %j is %j', (subjects, message) => {
	const { context, hints } = contextWithHints();
	for (const subject of subjects) addHint(context, 'is long', subject);
	addHint(context, 'is loud', 'x');
	showHints(context);
	expect(hints).toEqual([hint(message), hint('x: is loud')]);
});

it('hints belong to their own run of a node', () => {
	const one = contextWithHints();
	const other = contextWithHints();
	addHint(one.context, 'Look out.');
	showHints(other.context);
	expect(other.hints).toEqual([]);
});

it('does nothing in an n8n without hints', () => {
	const context = nodeContext({});
	addHint(context, 'Look out.');
	expect(() => showHints(context)).not.toThrow();
});
