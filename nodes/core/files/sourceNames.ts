import { sanitizeText } from '../../../api/sanitizeText';
import { MAX_NAMED, listed, readText } from '../texts';
import { nameInUrl } from './mediaTypes';
import type { NodeRun } from '../run/nodeRun';

/** The names of a recording's files, by which people know it. */
export interface SourceNames {
	/** All of them in one text. */
	readonly sourceFileName?: string;
	/** Of a recording with several tracks, each of them: the text cannot be divided again. */
	readonly sourceFileNames?: string[];
}

/** The names that an input item has, for its output. */
export function sourceNamesOf(run: NodeRun, itemIndex: number): SourceNames {
	const { sourceFileName, sourceFileNames } = run.items[itemIndex].json;
	const isText = typeof sourceFileName === 'string' && sourceFileName !== '';
	return {
		...(isText && { sourceFileName }),
		...(Array.isArray(sourceFileNames) && { sourceFileNames: sourceFileNames.map(readText) }),
	};
}

/** The same for files whose names are known. @param inOneText the text; without names, there is none */
export function namesOfFiles(names: readonly string[], inOneText: string): SourceNames {
	return {
		...(inOneText !== '' && { sourceFileName: inOneText }),
		...(names.length > 1 && { sourceFileNames: [...names] }),
	};
}

/** The names from the items if all have one, otherwise those in the URLs. */
export function sourceNames(
	run: NodeRun,
	itemIndices: readonly number[],
	files: readonly string[],
): SourceNames {
	const given = itemIndices.map((index) => sourceNamesOf(run, index));
	const texts = given.flatMap(({ sourceFileName }) => sourceFileName ?? []);
	const inUrls = files.map(nameInUrl);
	if (texts.length < itemIndices.length)
		return namesOfFiles(inUrls, namesInOne(inUrls.filter(Boolean)));
	const names = given.flatMap(
		({ sourceFileName, sourceFileNames }) => sourceFileNames ?? sourceFileName ?? [],
	);
	return namesOfFiles(names.length === files.length ? names : [], namesInOne(texts));
}

/** The names of a recording's files as one text. */
export function namesInOne(names: readonly string[]): string {
	return listed(names.map(sanitizeText), MAX_NAMED);
}
