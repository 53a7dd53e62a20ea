import type { INode } from 'n8n-workflow';

/** A node with its place on the canvas. A note's parameters contain its size. */
export type PlacedNode = Pick<INode, 'name' | 'position' | 'parameters' | 'type'>;

/** The size n8n draws a node in, including its name. */
const NODE_WIDTH = 100;
const NODE_HEIGHT = 130;

/** Returns the pairs of nodes and notes that overlap. */
export function overlaps(nodes: readonly PlacedNode[]): string[] {
	return nodes.flatMap((node, index) =>
		nodes
			.slice(index + 1)
			.filter((other) => cover(boxOf(node), boxOf(other)))
			.map((other) => `${node.name} and ${other.name}`),
	);
}

interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

function boxOf({ position: [left, top], parameters }: PlacedNode): Box {
	const width = Number(parameters.width ?? NODE_WIDTH);
	const height = Number(parameters.height ?? NODE_HEIGHT);
	return { left, top, right: left + width, bottom: top + height };
}

function cover(a: Box, b: Box): boolean {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
