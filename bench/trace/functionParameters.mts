import { join, relative } from 'node:path';

import ts from 'typescript';

import { parsedConfig } from './parsedConfig.mts';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * The parameters in a folder whose type is a function, as `file:line function`, by the type checker. Those of a
 * promise's executor do not count.
 */
export function functionParameters(folder: string): string[] {
	const { fileNames, options } = parsedConfig('tsconfig.json');
	const program = ts.createProgram(fileNames, options);
	const checker = program.getTypeChecker();
	const found: string[] = [];
	const visit = (node: ts.Node, file: string): void => {
		if (
			ts.isParameter(node) &&
			!isOfExecutor(node) &&
			isFunction(checker.getTypeAtLocation(node))
		) {
			const source = node.getSourceFile();
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			found.push(`${file}:${line + 1} ${node.name.getText()}`);
		}
		ts.forEachChild(node, (child) => {
			visit(child, file);
		});
	};
	for (const source of program.getSourceFiles()) {
		const file = relative(ROOT, source.fileName);
		if (file.startsWith(folder)) visit(source, file);
	}
	return found;
}

function isFunction(type: ts.Type): boolean {
	const parts = type.isUnion() ? type.types : [type];
	return parts.some((part) => part.getCallSignatures().length > 0);
}

function isOfExecutor({ parent }: ts.ParameterDeclaration): boolean {
	const maker = parent.parent;
	return ts.isNewExpression(maker) && maker.expression.getText() === 'Promise';
}
