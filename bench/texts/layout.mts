/** Tables and pictures of the Markdown files. */
import { dirname, join } from 'node:path';

import { targetsOf } from '../../test/support/markdown.ts';
import type { TextFile } from './tracked.mts';

/** Returns the tables outside fenced code: where each begins, and how wide its widest line is. */
export function tablesOf({ path, text }: TextFile) {
	let isCode = false;
	let isInTable = false;
	const tables: { path: string; line: number; columns: number }[] = [];
	for (const [index, line] of text.split('\n').entries()) {
		if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
		const isRow = !isCode && /^\s*\|/.test(line);
		const before = isRow && isInTable ? tables.pop() : undefined;
		if (isRow) {
			const columns = Math.max(before?.columns ?? 0, line.length);
			tables.push({ path, line: before?.line ?? index + 1, columns });
		}
		isInTable = isRow;
	}
	return tables;
}

/** Returns the paths of the pictures that Markdown shows with `![]()`, `<img>` or `<source>`. */
function shownPictures({ path, text }: TextFile): string[] {
	const targets = targetsOf(text).filter((target) => !/^[a-z]+:/.test(target));
	const files = targets.map((target) =>
		target.replace(/[?#].*$/, '').replace(/ \d+(\.\d+)?[wx]$/, ''),
	);
	return files
		.filter((target) => /\.(png|gif|apng|svg|jpe?g|webp)$/.test(target))
		.map((target) => join(dirname(path), target));
}

/**
 * Compares the pictures in the repository with those that texts show.
 *
 * @param tracked the paths of all tracked files
 * @param texts the Markdown files and the codex files (`*.node.json`)
 */
export function comparePictures(tracked: readonly string[], texts: readonly TextFile[]) {
	const markdown = texts.filter(({ path }) => path.endsWith('.md'));
	const codex = texts.filter(({ path }) => path.endsWith('.node.json')).map(({ text }) => text);
	const shown = new Set(markdown.flatMap(shownPictures));
	const pictures = tracked.filter((path) => path.startsWith('docs/images/'));
	return {
		unused: pictures.filter(
			(path) => !shown.has(path) && !codex.some((text) => text.includes(path)),
		),
		missing: [...shown].filter((path) => !tracked.includes(path)),
	};
}
