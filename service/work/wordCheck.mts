import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { looksForEdits } from '../engine/whatToFind.mts';
import type { RecordingResult } from '../engine/types.mts';
import { timeWithKit } from '../shared/showKit.mts';
import type { TimelineEdit } from '../shared/timeRanges.mts';
import type { WordCheck } from '../store/edit.mts';
import { speechOf } from '../text/speech/speech.mts';
import { checkCuts, type WordCut } from '../text/wordCheck/checkCuts.mts';
import { timeAfterEdits } from '../text/wordCheck/timeAfterCuts.mts';
import { retried, type Run } from './claimedRun.mts';
import { speechOfSource, textHelp, whyUnrecognized } from './texts.mts';
import type { RunInput } from './waitForReview.mts';

/** What a check of cuts by words came to. */
interface Checked {
	wordCheck: WordCheck | null;
	/** Cuts that took a word. */
	putBack: TimelineEdit[];
	notes: string[];
}

const UNCHECKED: Checked = { wordCheck: null, putBack: [], notes: [] };

const DECIDED = "'local.word_check' checked no cut of this result: somebody decided about them";

/** Whether somebody asked to check the cuts of this run, and that can be done. */
export function checksWords(
	{ edit, tools }: Run,
	{ sources, decided, speechFailure }: RunInput,
): boolean {
	const { config, local } = edit.request;
	return (
		local.word_check === true &&
		looksForEdits(config) &&
		sources.length === 1 &&
		decided === undefined &&
		// What has just failed would fail again.
		speechFailure === undefined &&
		tools.texts.transcriber !== undefined
	);
}

/**
 * Hears source and result again around each cut, if somebody asked for that. If recognition fails, the result stays as
 * it is.
 *
 * @throws the signal's reason when aborted, and what no edit can go on with, such as a full disk.
 */
export async function checkWords(
	run: Run,
	input: RunInput,
	{ edits, fileName, insertions }: RecordingResult,
): Promise<Checked> {
	const { transcriber } = run.tools.texts;
	const isDecided = input.decided !== undefined && run.edit.request.local.word_check === true;
	if (isDecided && input.sources.length === 1) return { ...UNCHECKED, notes: [DECIDED] };
	if (!checksWords(run, input) || transcriber === undefined) return UNCHECKED;
	const counts = { cuts: edits.length, checked: 0, restored: [], doubtful: [] };
	if (edits.length === 0) return { ...UNCHECKED, wordCheck: counts };
	run.track.say(`is checked for lost words by ${transcriber.name}`);
	try {
		const source = await speechOfSource(run, input.sources[0]);
		const folder = join(run.folders.work, 'checked');
		await mkdir(folder, { recursive: true });
		const path = join(run.folders.unfinishedResult, fileName);
		const edited = await speechOf(path, folder, 'edited', run.signal);
		const timeInEdited = timeAfterEdits(edits, run.edit.request.config.muted);
		const timeAfter = (seconds: number) => timeWithKit(timeInEdited(seconds), insertions);
		const toCheck = { source, edited, edits, timeAfter };
		const { checked, lost, doubtful } = await retried(run, 'POSTPROCESSING', () =>
			checkCuts(toCheck, transcriber, textHelp(run, 'POSTPROCESSING')),
		);
		await run.track.tellRecognized(undefined);
		run.track.say(`gets ${lost.length} of ${edits.length} cuts back`);
		const found = { restored: lost.map(shown), doubtful: doubtful.map(shown) };
		const putBack = lost.map(({ edit }) => edit);
		return { wordCheck: { ...counts, checked, ...found }, putBack, notes: [] };
	} catch (error) {
		const reason = await whyUnrecognized(run, error);
		return { ...UNCHECKED, notes: [`'local.word_check' put no cut back: ${reason}`] };
	}
}

/** A cut as the result shows it. */
function shown({ edit, words }: WordCut) {
	const { kind, startSeconds, endSeconds } = edit;
	const [start, end] = [startSeconds, endSeconds].map((one) => Math.round(one * 1_000) / 1_000);
	return { kind, start, end, words: words.map(({ text }) => text) };
}
