import { RATE_HZ } from '../../../testkit/media/signals.mts';
import { alignedWords } from '../../../testkit/measure/alignedWords.mts';
import { TEXT_HELP } from '../../../testkit/service/textHelp.mts';
import type { EditKind, SpokenWord, TimelineEdit } from '../../shared/timeRanges.mts';
import type { SpeechAudio } from '../../text/speech/speech.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import { lengthOf, shared } from '../score.mts';
import { plainHeard, speechOfSamples } from '../speech/heardTalk.mts';
import type { KnownTalk } from '../speech/knownTalks.mts';

/** What a planted cut takes: a word of four letters and more, one of up to three, or half of one of four and more. */
export const LOSSES = ['word', 'function word', 'half a word'] as const;
export type Loss = (typeof LOSSES)[number];

/** A cut that was moved onto a word. */
export interface Planted extends TimelineEdit {
	loss: Loss;
	text: string;
}

/** A talk, as a recognizer reads it, with cuts that take words. */
export interface PlantedTalk {
	talk: KnownTalk;
	source: SpeechAudio;
	edits: Planted[];
}

/** Cuts are this far apart, seconds. */
const APART_SECONDS = 5;

const SHORT_LETTERS = 3;

/** A word that is heard for less long has no sure place, seconds. */
const MIN_WORD_SECONDS = 0.08;

/** What the cuts claim to be: the check must not trust it. */
const KINDS: readonly EditKind[] = ['filler', 'long_silence', 'breath', 'stutter', 'hesitation'];

/**
 * Moves cuts onto words of a talk, in turn of each loss. Where a word is, a recognizer says who heard the whole talk: only
 * those count that it wrote as they were said. Yields the same talk with other cuts until there are enough.
 *
 * @param each how many of each loss.
 */
export async function* plantedTalks(
	talk: KnownTalk,
	each: number,
	recognizer: Transcriber,
	folder: string,
): AsyncGenerator<PlantedTalk> {
	const source = await speechOfSamples(talk.samples, folder, 'planted');
	const { words } = await recognizer.transcribe(source, TEXT_HELP);
	let left = knownWords(talk, words);
	const unmet = new Map<Loss, number>(LOSSES.map((loss) => [loss, each]));
	for (;;) {
		const edits: Planted[] = [];
		for (const word of left) {
			const latest = edits.at(-1)?.endSeconds ?? -APART_SECONDS;
			if (word.startSeconds < latest + APART_SECONDS) continue;
			const loss = wantedLoss(word, unmet);
			if (loss === undefined) continue;
			unmet.set(loss, (unmet.get(loss) ?? 0) - 1);
			edits.push(plantedOn(word, loss, edits.length));
		}
		if (edits.length === 0) return;
		yield { talk, source, edits };
		left = left.filter((word) => !edits.some((edit) => shared(edit, word) > 0));
	}
}

function knownWords({ said }: KnownTalk, words: readonly SpokenWord[]): SpokenWord[] {
	const heard = plainHeard(words);
	const pairs = alignedWords(
		said.map(({ text }) => text),
		heard.map(({ text }) => text),
	);
	return pairs.flatMap(([one, other]) => {
		if (one === undefined || other === undefined) return [];
		const word = heard[other];
		const isSure = word.isGuessed !== true && lengthOf(word) >= MIN_WORD_SECONDS;
		return isSure && word.text === said[one].text ? [word] : [];
	});
}

/** The loss that is wanted most and can be made of a word. */
function wantedLoss({ text }: SpokenWord, open: ReadonlyMap<Loss, number>): Loss | undefined {
	const isShort = text.length <= SHORT_LETTERS;
	return LOSSES.filter((loss) => isShort === (loss === 'function word') && open.get(loss) !== 0)
		.toSorted((a, b) => (open.get(b) ?? 0) - (open.get(a) ?? 0))
		.at(0);
}

/** Half words lose their beginning and their end in turn. */
function plantedOn(word: SpokenWord, loss: Loss, at: number): Planted {
	const { text, startSeconds, endSeconds } = word;
	const middle = (startSeconds + endSeconds) / 2;
	const isHalf = loss === 'half a word';
	const isBeginning = at % 2 === 0;
	return {
		kind: KINDS[at % KINDS.length],
		sure: 0.5,
		loss,
		text,
		startSeconds: onSample(isHalf && !isBeginning ? middle : startSeconds),
		endSeconds: onSample(isHalf && isBeginning ? middle : endSeconds),
	};
}

function onSample(seconds: number): number {
	return Math.round(seconds * RATE_HZ) / RATE_HZ;
}
