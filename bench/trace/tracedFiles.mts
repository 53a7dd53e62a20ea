import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import ts from 'typescript';

/** A function that was entered. */
export interface Step {
	/** Its file, without `dist/` and the ending. */
	readonly file: string;
	/** Its own name, or that of what it belongs to. */
	readonly name: string;
}

/** The channel of node:diagnostics_channel on which functions tell their Steps. */
export const ENTERED = 'entered function';

const ROOT = join(import.meta.dirname, '..', '..');

/** Copies the built package into a folder. In the copy, each function tells when it is entered. */
export async function copyTraced(folder: string): Promise<void> {
	const dist = join(folder, 'dist');
	await cp(join(ROOT, 'dist'), dist, { recursive: true });
	await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
	await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	for (const entry of await readdir(dist, { recursive: true })) {
		if (!entry.endsWith('.js')) continue;
		const path = join(dist, entry);
		const code = await readFile(path, 'utf8');
		await writeFile(path, telling(code, relative(dist, path).replace(/\.js$/, '')));
	}
}

/** The code, in which each function first tells that it is entered. Lines stay as they are. */
function telling(code: string, file: string): string {
	const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
	const insertions: Array<readonly [position: number, text: string]> = [];
	const visit = (node: ts.Node): void => {
		const body = bodyOf(node);
		if (body !== undefined && !isReexport(node)) {
			const step = JSON.stringify({ file, name: nameOf(node) });
			const tell = `require('node:diagnostics_channel').channel('${ENTERED}').publish(${step})`;
			if (ts.isBlock(body)) insertions.push([body.getStart() + 1, `${tell};`]);
			else insertions.push([body.getStart(), `(${tell}, `], [body.getEnd(), ')']);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return insertions
		.toSorted(([one], [other]) => other - one)
		.reduce((text, [at, more]) => text.slice(0, at) + more + text.slice(at), code);
}

/** The body of a function; undefined for anything else. */
export function bodyOf(node: ts.Node): ts.ConciseBody | undefined {
	if (ts.isArrowFunction(node)) return node.body;
	const hasBlock =
		ts.isFunctionDeclaration(node) ||
		ts.isFunctionExpression(node) ||
		ts.isMethodDeclaration(node) ||
		ts.isConstructorDeclaration(node) ||
		ts.isAccessor(node);
	return hasBlock ? node.body : undefined;
}

/** Whether TypeScript wrote a function for `export … from`. */
function isReexport({ parent }: ts.Node): boolean {
	return ts.isPropertyAssignment(parent) && parent.name.getText() === 'get';
}

/** The name of a function; for one without a name, that of the function it is in, and its line. */
export function nameOf(node: ts.Node): string {
	if (ts.isConstructorDeclaration(node)) return 'constructor';
	for (const named of [node, node.parent]) {
		if ('name' in named) {
			const { name } = named as ts.NamedDeclaration;
			if (name !== undefined) return name.getText();
		}
	}
	const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
	return `(line ${line + 1})`;
}
