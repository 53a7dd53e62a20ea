import { readFile } from 'node:fs/promises';

import ts from 'typescript';

import type { Mutant } from './stryker.mts';

/** Whether a mutant lies outside of every function of its file, such as in a constant. */
export async function isOutsideFunctions({
	fileName,
	location,
}: Pick<Mutant, 'fileName' | 'location'>): Promise<boolean> {
	const text = await readFile(fileName, 'utf8');
	const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest);
	const positionOf = ({ line, column }: Mutant['location']['start']) =>
		source.getPositionOfLineAndCharacter(line, column);
	const from = positionOf(location.start);
	const to = positionOf(location.end);
	const isWithinFunction = (node: ts.Node): boolean =>
		node.getFullStart() <= from &&
		to <= node.getEnd() &&
		(ts.isFunctionLike(node) || (ts.forEachChild(node, isWithinFunction) ?? false));
	return !isWithinFunction(source);
}
