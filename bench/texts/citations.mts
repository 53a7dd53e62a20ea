/** What comments and titles of tests cite: files of the repository, and headings such as `api.md#limits`. */
import { anchorsOf } from '../../test/support/markdown.ts';
import type { Block } from './prose.mts';
import { hashComments, sourceTexts } from './sourceTexts.mts';
import type { TextFile } from './tracked.mts';

/** Words for a document that is not in the repository, or for a part of it by number. */
const ELSEWHERE = /\bspec(ification)?s?\b|\bhouse rules?\b|\b(rule|endpoints?) \d+\b/gi;

/** A file, and perhaps a heading in it; not a part of a URL or a media type. */
const FILE = /(?<![\w./:%*<>{}-])(?!model\/vnd)([\w.-]+\/)*[\w-][\w.-]*\.(md|m?ts)\b(#[\w-]+)?/g;

const URL_IN_TEXT = /https?:\S+/g;

/** The lines of the comments of a file, and the titles of its tests. */
function linesOf({ path, text }: TextFile): Block[] {
	const { comments, titles } = /\.(m?ts|m?js|cjs)$/.test(path)
		? sourceTexts(path, text)
		: { comments: hashComments(text), titles: [] };
	const lines = comments.split('\n').map((line, index) => ({ line: index + 1, text: line }));
	return [...lines, ...titles];
}

/**
 * Returns what sources cite that is not in the repository.
 *
 * @param paths of all files in the repository
 * @param documents the Markdown files among them
 */
export function deadCitations(
	sources: readonly TextFile[],
	paths: readonly string[],
	documents: readonly TextFile[],
): string[] {
	const anchorsByPath = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
	const isThere = (citation: string): boolean => {
		const [file, ...anchors] = citation.split('#');
		const cited = paths.filter((path) => `/${path}`.endsWith(`/${file}`));
		return cited.some((path) =>
			anchors.every((anchor) => anchorsByPath.get(path)?.includes(anchor)),
		);
	};
	return sources.flatMap((source) =>
		linesOf(source).flatMap(({ line, text }) => {
			const plain = text.replace(URL_IN_TEXT, '');
			const files = [...plain.matchAll(FILE)].map(([citation]) => citation);
			const elsewhere = [...plain.matchAll(ELSEWHERE)].map(([words]) => words);
			const dead = [...files.filter((citation) => !isThere(citation)), ...elsewhere];
			return dead.map((what) => `${source.path}:${line}: cites ${what}`);
		}),
	);
}
