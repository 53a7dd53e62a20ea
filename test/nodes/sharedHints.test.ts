import { Hints } from '../../nodes/shared/run/nodeRun';
import { nodeContext } from '../support/nodeContext';

/** What n8n gets to show of some hints. */
function shownOf(...added: ReadonlyArray<Parameters<Hints['add']>>): unknown[] {
	const shown: unknown[] = [];
	const hints = new Hints();
	for (const hint of added) hints.add(...hint);
	hints.show(nodeContext({ addExecutionHints: (...given) => void shown.push(...given) }));
	return shown;
}

const hint = (message: string) => ({ message, type: 'warning', location: 'outputPane' });

it('a hint appears once, however often it was added', () => {
	expect(shownOf(['Look out.'], ['Look out.'])).toEqual([hint('Look out.')]);
});

it.each([
	[['a', 'a', 'b'], 'a, b: is long'],
	[['a', 'b', 'c'], 'a, b, c: is long'],
	[['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more: is long'],
])('a hint about %j is %j', (subjects, message) => {
	const added = subjects.map((subject): [string, string] => ['is long', subject]);
	expect(shownOf(...added, ['is loud', 'x'])).toEqual([hint(message), hint('x: is loud')]);
});

it('does nothing in an n8n without hints', () => {
	const hints = new Hints();
	hints.add('Look out.');
	expect(() => hints.show(nodeContext({}))).not.toThrow();
});
