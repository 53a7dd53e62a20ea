import type { NewWorkflow } from '../pages/editor.mts';

/** More nodes beside each other would make their names too small to read in a picture. */
const MAX_COLUMNS = 6;

/** The distance between two nodes of our example workflows. */
const COLUMN = 220;

/** The distance between two rows. n8n draws the connection to the next row in it. */
const BETWEEN_ROWS = 300;

/** Returns a workflow without its notes and with long chains in several rows, for a picture. */
export function inRows(workflow: NewWorkflow): NewWorkflow {
	const nodes = workflow.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	const columnOf = (x: number) => Math.round(x / COLUMN);
	const columns = Math.max(...nodes.map(({ position: [x] }) => columnOf(x))) + 1;
	const rows = Math.ceil(columns / MAX_COLUMNS);
	const perRow = Math.ceil(columns / rows);
	// The first row is the shorter one: loops are at the end of a chain, and stay in one row.
	const missing = rows * perRow - columns;
	const rowOf = (x: number) => Math.floor((columnOf(x) + missing) / perRow);
	const heights = Array.from({ length: rows }, (_entry, row) => {
		const ys = nodes
			.filter(({ position: [x] }) => rowOf(x) === row)
			.map(({ position }) => position[1]);
		return { top: Math.min(...ys), height: Math.max(...ys) - Math.min(...ys) + BETWEEN_ROWS };
	});
	const placed = nodes.map((node) => {
		const [x, y] = node.position;
		const row = rowOf(x);
		const above = heights.slice(0, row).reduce((sum, { height }) => sum + height, 0);
		const firstColumn = Math.max(0, row * perRow - missing);
		const left = x - firstColumn * COLUMN;
		return { ...node, position: [left, y - heights[row].top + above] as [number, number] };
	});
	return { ...workflow, nodes: placed };
}
