import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { systemTime } from '../../../api/time';
import { asNodeError } from '../../../nodes/core/errors/errors';
import { knownEditId } from '../../../nodes/core/form/parameters';
import { Pauses } from '../../../api/pauses';
import { Hints, NodeRun } from '../../../nodes/core/run/nodeRun';
import { Outcomes } from '../../../nodes/core/items/outcomes';
import { NODE, nodeContext, runOf, withFields } from '../../../testkit/n8n/nodeContext';
import { runEachItem } from '../../../testkit/n8n/runWork';

const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, n) => ({ json: { n } }));

const CONTINUE = { continueOnFail: () => true };
const STOPPED = { getExecutionCancelSignal: () => AbortSignal.abort() };

describe('an error', () => {
	it('from n8n stays the same', () => {
		const api = new NodeApiError(NODE, { message: 'no' });
		const operation = new NodeOperationError(NODE, 'no');
		expect(asNodeError(NODE, api, 1)).toBe(api);
		expect(asNodeError(NODE, operation, 1)).toBe(operation);
	});

	it.each([
		['an exception', new TypeError('broken')],
		['a text', 'broken'],
	])('from %s belongs to its item', (_title, thrown) => {
		const error = asNodeError(NODE, thrown, 4);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'broken', node: NODE, context: { itemIndex: 4 } });
	});
});

describe('a node continues after a failure', () => {
	it.each<[string, Partial<IExecuteFunctions>, boolean]>([
		['if it is set to', CONTINUE, true],
		['not if it is not', {}, false],
		['not if the execution was stopped', { ...CONTINUE, ...STOPPED }, false],
		[
			'if it could be stopped and was not',
			{ ...CONTINUE, getExecutionCancelSignal: () => new AbortController().signal },
			true,
		],
	])('%s', (_title, more, expected) => {
		expect(runOf(more).mayContinue).toBe(expected);
	});
});

describe('the work of a node', () => {
	const broken = async () => {
		throw new Error('broken');
	};

	it('returns its items, each in the output that the form has for it', async () => {
		const outputs = [
			{ name: 'good', label: 'Good' },
			{ name: 'left', label: 'Left', option: 'mode', value: 'leave' },
			{ name: 'bad', label: 'Bad', option: 'asks' },
		] as const;
		const outputsWith = (options: INodeParameters, more = {}) => {
			const getNode = () => ({ ...NODE, parameters: { options } });
			const outcomes = new Outcomes(new NodeRun(nodeContext({ getNode, ...more })), { outputs });
			outcomes.done([0], [{ json: { n: 0 } }], 'bad');
			outcomes.done([1], [{ json: { n: 1 } }], 'left');
			outcomes.done([2], [{ json: { n: 2 } }], 'good');
			return outcomes.outputs().map((made) => made.map(({ json }) => json.n));
		};
		expect(outputsWith({ mode: 'leave', asks: 'url' })).toEqual([[2], [1], [0]]);
		expect(outputsWith({ mode: 'stay', asks: 'url' })).toEqual([[1, 2], [0]]);
		expect(outputsWith({ mode: 'leave', asks: '' })).toEqual([[0, 2], [1]]);
		const isToolExecution = () => true;
		expect(outputsWith({ mode: 'leave', asks: 'url' }, { isToolExecution })).toEqual([[0, 1, 2]]);
	});

	it('ends the node if it fails', async () => {
		await expect(runEachItem(nodeContext({}), broken)).rejects.toMatchObject({
			message: 'broken',
			context: { itemIndex: 0 },
		});
	});

	it('fails each item if it fails and the node continues', async () => {
		const made = await runEachItem(nodeContext(CONTINUE, items(2)), broken);
		expect(made.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		for (const { error } of made) expect(error?.message).toBe('broken');
	});

	it('shows its hints at the end, even if it fails', async () => {
		const hints: unknown[] = [];
		const context = nodeContext({
			...CONTINUE,
			addExecutionHints: (...given) => void hints.push(...given),
		});
		await runEachItem(context, broken, { hint: 'Look out.' });
		expect(hints).toHaveLength(1);
	});
});

describe('the summary of a run', () => {
	/** The hints of a run over two items, the second of which fails. */
	const hintsOf = async (more: Partial<IExecuteFunctions>) => {
		const hints: string[] = [];
		const addExecutionHints: IExecuteFunctions['addExecutionHints'] = (...given) =>
			void hints.push(...given.map(({ message }) => message));
		const context = nodeContext(
			{ addExecutionHints, logger: { info: () => {}, warn: () => {} } as never, ...more },
			items(2),
		);
		const handle = async (itemIndex: number) => {
			if (itemIndex === 1) throw new Error('bad');
			return await Promise.resolve([]);
		};
		const work = { progress: ['edited', 'recordings'], sumsUp: true } as const;
		await runEachItem(context, handle, work).catch(() => undefined);
		return hints;
	};

	it('is a hint if the node continues', async () => {
		expect(await hintsOf(CONTINUE)).toEqual(['1 edited, 1 failed']);
	});

	it('is in the error, not in a hint, if a failure ends the node', async () => {
		expect(await hintsOf({})).toEqual([]);
	});
});

describe('each item', () => {
	/** Handles items that take longer the earlier they are. Odd items fail. */
	const run = async (context: IExecuteFunctions, more: Parameters<typeof runEachItem>[2] = {}) => {
		const begun: number[] = [];
		let underWork = 0;
		let most = 0;
		const result = runEachItem(
			context,
			async (itemIndex) => {
				begun.push(itemIndex);
				most = Math.max(most, ++underWork);
				for (let turn = 10; turn > itemIndex; turn--) await Promise.resolve();
				underWork -= 1;
				if (itemIndex % 2 === 1) throw new Error(`item ${itemIndex} is bad`);
				return itemIndex === 2
					? [{ json: { n: 2 } }, { json: { n: 2.5 } }]
					: [{ json: { n: itemIndex } }];
			},
			more,
		);
		return await result.then(
			(made) => ({ made, begun, most, thrown: undefined }),
			(thrown: Error) => ({ made: [], begun, most, thrown }),
		);
	};

	it('has its results in its place, paired with it', async () => {
		const { made, begun, most } = await run(nodeContext(CONTINUE, items(5)), { atOnce: 3 });
		expect(made.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 2, 3, 4].map((item) => ({ item })),
		);
		expect(made.map(({ json, error }) => error?.message ?? json.n)).toEqual([
			0,
			'item 1 is bad',
			2,
			2.5,
			'item 3 is bad',
			4,
		]);
		expect(begun).toEqual([0, 1, 2, 3, 4]);
		expect(most).toBe(3);
	});

	it('is handled after the previous one unless more are allowed', async () => {
		expect((await run(nodeContext(CONTINUE, items(3)))).most).toBe(1);
		expect((await run(nodeContext(CONTINUE, items(2)), { atOnce: 10 })).most).toBe(2);
		expect(await run(nodeContext(CONTINUE, []))).toMatchObject({ made: [], begun: [] });
	});

	it('ends a node that does not continue, once those under way have ended', async () => {
		const { begun, thrown } = await run(nodeContext({}, items(9)), { atOnce: 2 });
		expect(thrown).toMatchObject({ message: 'item 1 is bad', context: { itemIndex: 1 } });
		expect(begun).toEqual([0, 1]);
	});

	it('is named if it is the first to fail', async () => {
		const { thrown } = await run(nodeContext({}, items(9)), { atOnce: 9 });
		expect(thrown?.message).toBe('item 7 is bad');
	});
});

describe('the known edit ID of an item', () => {
	it.each([
		[{ editId: 'abc' }, { editId: 'abc' }],
		[{ editId: '' }, {}],
		[{ editId: undefined }, {}],
		[{ editId: 5 }, {}],
		[{}, {}],
	])('with the fields %j is %j', (fields, known) => {
		expect(knownEditId(runOf(withFields(fields)), 0)).toEqual(known);
	});
});

describe('the known fields of a failed item', () => {
	const handle = async () => {
		throw new Error('bad');
	};

	it('are in its json', async () => {
		const context = nodeContext(CONTINUE, items(2));
		const made = await runEachItem(context, handle, { known: { editId: 'e' } });
		expect(made.map(({ json }) => json.editId)).toEqual(['e', 'e']);
	});
});

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

describe('pauses in work on many items', () => {
	const sleep = jest.spyOn(systemTime, 'sleep');

	/** Works for these times, with the chance of a pause after each. Returns how long the pauses were. */
	async function pausesIn(...workMs: number[]): Promise<number[]> {
		const pauses = new Pauses();
		const slept: number[] = [];
		for (const ms of workMs) {
			await systemTime.sleep(ms);
			sleep.mockClear();
			await pauses.mayPause();
			slept.push(...sleep.mock.calls.map(([pausedMs]) => pausedMs));
		}
		return slept;
	}

	it('pauses for 1 ms after 20 ms of work', async () => {
		expect(await pausesIn(19)).toEqual([]);
		expect(await pausesIn(19, 1)).toEqual([1]);
	});

	it('counts the next 20 ms from the end of the last pause', async () => {
		expect(await pausesIn(100, 19)).toEqual([1]);
		expect(await pausesIn(100, 19, 1)).toEqual([1, 1]);
	});
});
