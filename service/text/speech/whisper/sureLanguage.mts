import type { RecognizedPiece } from './recognizerPackage.mts';

/** After as many pieces in one language with as many tokens each, the rest is taken to be in it as well. */
export const SURE_PIECES = 3;
const SURE_TOKENS = 8;

/** Returns the language that enough pieces agree on; undefined as long as they do not. */
export function sureLanguageOf(pieces: readonly RecognizedPiece[]): string | undefined {
	const found = pieces.filter(({ segments }) => segments.length >= SURE_TOKENS);
	const first = found.at(0)?.language;
	const isSure = found.length >= SURE_PIECES && found.every(({ language }) => language === first);
	return isSure ? first : undefined;
}
