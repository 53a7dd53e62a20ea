import { jsonOf } from '../form/parameters';
import { readText } from '../texts';
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
	const { sourceFileName, sourceFileNames } = jsonOf(run, itemIndex);
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
