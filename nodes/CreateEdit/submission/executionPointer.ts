import { sanitizeText } from '../../../api/sanitizeText';
import type { NodeRun } from '../../shared/run/nodeRun';

/** n8n keeps up to ten short values with an execution, also after Stop; we leave nine to the author. */
const KEY = 'audioEditingEdits';

/** Our value; any other value is from the workflow's author, and stays. */
const OURS = /^(\d+) edits?, the first: (.+)$/;

/** n8n 1.68 complains about values over 255 characters. */
const ID_CHARACTERS_MAXIMUM = 200;

/** Adds an edit to the execution's custom data: the number of edits, and the ID of the first. */
export function pointTo(run: NodeRun, editId: string): void {
	const { customData } = run;
	if (customData === undefined) return;
	const before: unknown = customData.get(KEY);
	const [, count, first] = OURS.exec(typeof before === 'string' ? before : '') ?? [];
	if (before !== undefined && first === undefined) return;
	const edits = Number(count ?? 0) + 1;
	const id = first ?? sanitizeText(editId).slice(0, ID_CHARACTERS_MAXIMUM);
	customData.set(KEY, `${edits} edit${edits === 1 ? '' : 's'}, the first: ${id}`);
}
