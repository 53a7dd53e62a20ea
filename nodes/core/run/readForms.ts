import type { INodeProperties } from 'n8n-workflow';

import { Pauses } from '../../../api/pauses';
import { refuseFailed } from '../errors/carriedFailure';
import { knownEditId } from '../form/parameters';
import { type Form, readForm } from '../form/readForm';
import type { NodeRun } from './nodeRun';
import type { Outcomes } from './outcomes';

/**
 * Reads the forms of items. A form that cannot be read fails its item, as does an item that failed in a node of
 * ours before. Ends early when a failure has ended the node.
 *
 * @param itemIndices whose forms to read; all items if missing
 */
export async function* readForms(
	run: NodeRun,
	outcomes: Outcomes<string>,
	properties: readonly INodeProperties[],
	itemIndices: readonly number[] = [...run.items.keys()],
): AsyncGenerator<Form> {
	const pauses = new Pauses();
	for (const itemIndex of itemIndices) {
		const form = readOrFail(run, outcomes, properties, itemIndex);
		if (form !== undefined) yield form;
		if (outcomes.isOver) return;
		await pauses.mayPause();
	}
}

function readOrFail(
	run: NodeRun,
	outcomes: Outcomes<string>,
	properties: readonly INodeProperties[],
	itemIndex: number,
): Form | undefined {
	try {
		refuseFailed(run, itemIndex);
		return readForm(run.context, properties, itemIndex, run.isTool, 'item');
	} catch (error) {
		const hasEditId = properties.some(({ name }) => name === 'editId');
		outcomes.failed([itemIndex], error, hasEditId ? knownEditId(run, itemIndex) : {});
		return undefined;
	}
}
