import type { RecognizedSpeech } from '../../shared/timeRanges.mts';

/** Returns the language that most words of the pieces of a recording are in; undefined if none is known. */
export function mainLanguage(
	pieces: readonly Pick<RecognizedSpeech, 'words' | 'language'>[],
): string | undefined {
	const words = new Map<string, number>();
	for (const piece of pieces) {
		const { language } = piece;
		if (language === undefined) continue;
		words.set(language, (words.get(language) ?? 0) + piece.words.length);
	}
	return [...words].toSorted(([, a], [, b]) => b - a).at(0)?.[0];
}
