import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { Pauses } from '../../../api/pauses';
import { refuseFailed } from '../errors/carriedFailure';
import { knownEditId } from '../form/parameters';
import { type Form, readForm } from '../form/readForm';
import type { NodeRun } from './nodeRun';
import type { Outcomes } from './outcomes';

/** What differs from a node that handles each item by itself. */
interface Together {
	/** The items that are handled together; the form of the first counts for all of them. */
	readonly groups?: ReadonlyArray<readonly number[]>;
	/** The items whose edit goes on, of which only these fields count. */
	readonly goingOn?: {
		readonly itemIndices: ReadonlySet<number>;
		readonly properties: readonly INodeProperties[];
	};
	/** What an item carries whose form could not be read, by its index. */
	readonly known?: readonly IDataObject[];
}

/**
 * Reads the forms of items. A form that cannot be read fails its items, as does an item that failed in a node of
 * ours before. Ends early when a failure has ended the node.
 */
export async function* readForms(
	run: NodeRun,
	outcomes: Outcomes<string>,
	properties: readonly INodeProperties[],
	{ groups = run.items.map((_item, index) => [index]), goingOn, known = [] }: Together = {},
): AsyncGenerator<Form> {
	const pauses = new Pauses();
	outcomes.begin(groups.length);
	const hasEditId = properties.some(({ name }) => name === 'editId');
	for (const itemIndices of groups) {
		const [itemIndex] = itemIndices;
		let form: Form | undefined;
		try {
			for (const index of itemIndices) refuseFailed(run, index);
			const asked = goingOn?.itemIndices.has(itemIndex) ? goingOn.properties : properties;
			form = readForm(run.context, asked, itemIndex, run.isTool, 'item');
		} catch (error) {
			const about = hasEditId ? knownEditId(run, itemIndex) : known[itemIndex];
			outcomes.failed(itemIndices, error, about);
		}
		if (form !== undefined) yield form;
		if (outcomes.isOver) return;
		await pauses.mayPause();
	}
}
