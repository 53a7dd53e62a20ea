import { type CutDecision, MAX_DOUBTFUL_CUTS } from '../../api/contract';
import { isRecord } from '../../api/contract/tolerance';
import { ofEdit } from '../core/errors/errors';
import { fieldError } from '../core/form/fieldError';
import { givenOrInherited, readAmount, readEditId, readJson } from '../core/form/parameters';
import type { Form } from '../core/form/values';
import type { NodeRun } from '../core/run/nodeRun';
import { readText } from '../core/texts';

const DECISIONS = 'Decisions';
const REVISION = 'Revision';

/** What items ask of the review of one edit. */
export interface ReviewInput {
	readonly editId: string;
	/** How many of the least certain cuts they want. */
	readonly mostCuts: number;
	/** For decisions: what they follow, what they are, and whose. */
	readonly revision: number;
	readonly decisions: readonly CutDecision[];
	readonly decidedBy: string;
}

/** Reads which edit an item is about, and how many cuts it wants. @throws NodeOperationError */
export function readQuestion(run: NodeRun, form: Form): ReviewInput {
	const editId = readEditId(run, form);
	const most = readAmount(run, form.itemIndex, 'Number of Cuts', form.fields.mostCuts);
	const mostCuts = Math.min(MAX_DOUBTFUL_CUTS, Math.max(1, Math.floor(most)));
	return { editId, mostCuts, revision: 0, decisions: [], decidedBy: '' };
}

/** Reads what an item decides. @throws NodeOperationError for anything that is not surely a decision */
export function readDecisions(run: NodeRun, form: Form): ReviewInput {
	const { itemIndex, fields } = form;
	const editId = readEditId(run, form);
	const given = givenOrInherited(run, form, 'revision', 'revision');
	const revision = wholeNumber(given);
	if (revision === undefined) {
		const message = `'${REVISION}' must be a whole number of 0 or more, not ${quoted(given)}`;
		const advice =
			"Take 'revision' from the output of the operation 'Get Doubtful Cuts'. If the field is empty, the node uses 'revision' of the input item.";
		throw fieldError(run, itemIndex, message, advice);
	}
	const list = fields.decisions ?? '';
	const isExpression = readText(run.node.parameters.decisions).startsWith('=');
	const { json } = run.items[itemIndex];
	const read = list === '' && !isExpression ? [json] : readJson(run, itemIndex, DECISIONS, list);
	const decidedBy = readText(fields.decidedBy).trim();
	const decisions = decisionsIn(run, itemIndex, read);
	return { editId, mostCuts: 0, revision, decisions, decidedBy };
}

function decisionsIn(run: NodeRun, itemIndex: number, list: unknown): CutDecision[] {
	const advice =
		"Each decision needs 'start' and 'end' of a cut as 'Get Doubtful Cuts' returns them, and 'keep': true if the sound stays, false if it is cut.";
	if (!Array.isArray(list)) {
		throw fieldError(run, itemIndex, `'${DECISIONS}' must be a list`, advice);
	}
	return list.map((entry: unknown, index) => {
		const { start, end, keep } = isRecord(entry) ? entry : ({} as Record<string, unknown>);
		const place = { start: wholeNumber(start), end: wholeNumber(end) };
		// What an expression leaves empty or misspelt must not cut anything.
		if (place.start !== undefined && place.end !== undefined && typeof keep === 'boolean') {
			return { start: place.start, end: place.end, keep };
		}
		const [name, value] =
			place.start === undefined
				? ['start', start]
				: place.end === undefined
					? ['end', end]
					: ['keep', keep];
		const message = `Decision ${index + 1} has no valid '${name}': ${quoted(value)}`;
		throw fieldError(run, itemIndex, message, advice);
	});
}

function wholeNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isWhole = typeof number === 'number' && Number.isSafeInteger(number) && number >= 0;
	return isWhole ? number : undefined;
}

const MAX_QUOTED_CHARACTERS = 60;

function quoted(value: unknown): string {
	return value === undefined
		? 'nothing'
		: `${JSON.stringify(value)}`.slice(0, MAX_QUOTED_CHARACTERS);
}

/**
 * Returns what several items decide about one edit together. A cut that comes twice, as after a loop, counts once.
 *
 * @throws NodeOperationError if they contradict each other
 */
export function together(
	run: NodeRun,
	itemIndex: number,
	inputs: readonly ReviewInput[],
): ReviewInput {
	const [first] = inputs;
	const refuse = (message: string, advice: string) => fieldError(run, itemIndex, message, advice);
	if (inputs.some(({ revision }) => revision !== first.revision)) {
		const message = `The items have different values of '${REVISION}'${ofEdit(first.editId)}`;
		throw refuse(message, 'Decide about the cuts of one run of the operation Get Doubtful Cuts.');
	}
	const decisions = new Map<string, CutDecision>();
	for (const decision of inputs.flatMap((input) => input.decisions)) {
		const place = `${decision.start}-${decision.end}`;
		if ((decisions.get(place)?.keep ?? decision.keep) !== decision.keep) {
			const message = `Two decisions about the cut from sample ${decision.start} to ${decision.end} contradict each other${ofEdit(first.editId)}`;
			throw refuse(message, 'Pass one item for each cut.');
		}
		decisions.set(place, decision);
	}
	return { ...first, decisions: [...decisions.values()] };
}
