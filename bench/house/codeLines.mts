import ts from 'typescript';

import type { TextFile } from '../texts/tracked.mts';

/** Returns how many lines of a file have code: neither a comment, nor an import, nor nothing. */
export function codeLinesOf({ path, text }: TextFile): number {
	const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
	const lines = new Set<number>();
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || isComment(node)) return;
		const parts = node.getChildren(file);
		parts.forEach(visit);
		const start = node.getStart(file);
		if (parts.length > 0 || node.end === start) return;
		const [first, last] = [start, node.end].map(
			(at) => file.getLineAndCharacterOfPosition(at).line,
		);
		for (let line = first; line <= last; line++) lines.add(line);
	};
	visit(file);
	return lines.size;
}

function isComment({ kind }: ts.Node): boolean {
	return kind >= ts.SyntaxKind.FirstJSDocNode && kind <= ts.SyntaxKind.LastJSDocNode;
}
