import { sharedRanges } from '../../engine/sharedTimeline.mts';
import { firstFrom } from '../../engine/signal/levels.mts';
import { searchVoice } from '../../engine/voice/searchVoice.mts';
import { SPEECH_FORMAT } from '../../media/decode.mts';
import { openPcm } from '../../media/pcmFile.mts';
import { sharedSeconds, type TimelineEdit } from '../../shared/timeRanges.mts';
import { soundHopsOf } from '../speech/soundHops.mts';
import type { SpeechAudio } from '../speech/speech.mts';
import { levelsOfSpeech } from '../speech/speechLevels.mts';
import type { TextHelp, Transcriber } from '../speech/transcriber.mts';
import { hearWindows } from './hearWindows.mts';
import { type LostWord, lostWords } from './lostWords.mts';
import { cutsOfSpeech, windowsAround } from './windows.mts';

/** A cut, and the words that it took. */
export interface WordCut {
	edit: TimelineEdit;
	words: readonly LostWord[];
}

/** What a check of cuts found. */
export interface CheckedCuts {
	/** How many cuts hold speech, so that the recording was heard again there. */
	checked: number;
	/** A word is missing after these. */
	lost: WordCut[];
	/** A word may be missing after these. */
	doubtful: WordCut[];
}

/** An edit whose cuts are checked. */
export interface EditToCheck {
	source: SpeechAudio;
	edited: SpeechAudio;
	edits: readonly TimelineEdit[];
	/** Says where a moment of the source is in the edited recording. */
	timeAfter: (seconds: number) => number;
}

/**
 * Hears a recording again around each cut that holds speech, before and after the edit, and returns the cuts that took a
 * word. Not every difference is one: a recognizer is often wrong.
 *
 * @throws EditFailure when recognition fails, the signal's reason when aborted.
 */
export async function checkCuts(
	{ source, edited, edits, timeAfter }: EditToCheck,
	transcriber: Transcriber,
	help: TextHelp,
): Promise<CheckedCuts> {
	const ranges = sharedRanges(edits);
	await help.waitForTurn();
	const levels = await levelsOfSpeech(source, help.signal);
	const voice = await searchVoice(await openPcm(source.path, SPEECH_FORMAT), help.signal);
	const sounds = soundHopsOf({ voice, levels, seconds: source.seconds });
	const spoken = cutsOfSpeech(ranges, sounds);
	if (spoken.length === 0) return { checked: 0, lost: [], doubtful: [] };
	const windows = windowsAround(spoken, levels);
	const before = await hearWindows(source, windows, 'checked-source', transcriber, help);
	const moved = windows.map(({ startSeconds, endSeconds }) => ({
		startSeconds: timeAfter(startSeconds),
		endSeconds: timeAfter(endSeconds),
	}));
	const after = await hearWindows(edited, moved, 'checked-result', transcriber, help);
	const found: CheckedCuts = { checked: 0, lost: [], doubtful: [] };
	const sorted = edits.toSorted((a, b) => a.startSeconds - b.startSeconds);
	for (const range of spoken) {
		// Each edit lies in one range.
		const first = firstFrom(sorted, ({ startSeconds }) => startSeconds < range.startSeconds);
		const end = firstFrom(sorted, ({ startSeconds }) => startSeconds < range.endSeconds);
		const own = sorted.slice(first, end);
		found.checked += own.length;
		const words = lostWords({ range, edits: own, before, after }, { sounds, timeAfter });
		const lost = cutsThatTook(
			own,
			words.filter((word) => word.isCertain),
		);
		const others = own.filter((edit) => !lost.some((one) => one.edit === edit));
		found.lost.push(...lost);
		found.doubtful.push(
			...cutsThatTook(
				others,
				words.filter((word) => !word.isCertain),
			),
		);
	}
	return found;
}

/** Returns the edits that reach into words, each with these. */
function cutsThatTook(edits: readonly TimelineEdit[], words: readonly LostWord[]): WordCut[] {
	return edits.flatMap((edit) => {
		const own = words.filter(({ place }) => sharedSeconds(edit, place) > 0);
		return own.length === 0 ? [] : [{ edit, words: own }];
	});
}
