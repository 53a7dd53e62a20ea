import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { KnownEditStatus } from '../shared/contract.mts';
import { looksForEdits } from '../engine/whatToFind.mts';
import type { EngineSource, RecordingResult } from '../engine/types.mts';
import { editedTracks } from '../text/editedTracks.mts';
import { changesCuts, type Heard, recognizeWords } from '../text/speech/recognizeWords.mts';
import { type TextTools, writeTexts } from '../text/textStage.mts';
import type { SpeechAudio } from '../text/speech/speech.mts';
import type { TextHelp } from '../text/speech/transcriber.mts';
import { wordsAfterEdits } from '../text/wordsAfterEdits.mts';
import { TEXTS_FILE_NAME } from '../text/textsFile.mts';
import {
	type EditFailure,
	failureKindOf,
	isDiskFull,
	isOutOfHandles,
	reasonOf,
	stackOf,
} from '../shared/failures.mts';
import { DatabaseTrouble } from '../store/database.mts';
import { retried, type Run } from './claimedRun.mts';
import type { RunInput } from './waitForReview.mts';
import type { RecognizedSpeech } from '../shared/timeRanges.mts';

/** Returns the recognized speech of a single-track recording if the engine needs it, or why there is none. */
export async function listen(run: Run, sources: readonly EngineSource[]): Promise<Heard> {
	const { edit, tools } = run;
	if (sources.length > 1) return {};
	const readSpeech = () => speechOfSource(run, sources[0]);
	const { transcriber } = tools.texts;
	const help = textHelp(run, 'PREPROCESSING');
	// A review shows the transcript beside the cuts, so it is of the source.
	const isShown = edit.request.review !== null && edit.request.config.transcription;
	const isNeeded = isShown || changesCuts(edit.request);
	return isNeeded ? await recognizeWords(readSpeech, transcriber, help) : {};
}

/** Returns the speech of a source, on disk. @param name of its file there. */
export async function speechOfSource(
	run: Run,
	source: EngineSource,
	name = 'source',
): Promise<SpeechAudio> {
	const folder = join(run.folders.work, 'heard');
	await mkdir(folder, { recursive: true });
	const path = join(folder, `${name}.raw`);
	await run.turn.acquire();
	return { path, folder, seconds: await readSource(run, source, path) };
}

/** Returns a note where somebody asked for cuts by words, and there were none to go by. */
export function noteOnWords(
	{ edit, tools }: Run,
	{ sources, recognized, speechFailure }: RunInput,
): string[] {
	if (recognized !== undefined) return [];
	const { local, config } = edit.request;
	const isUnheard = sources.length > 1 || tools.texts.transcriber === undefined;
	const isUnchecked = local.word_check === true && isUnheard && looksForEdits(config);
	const wanted = (['filler_words', 'word_check'] as const).filter((key) => local[key]);
	const asked = changesCuts(edit.request) ? wanted : isUnchecked ? ['word_check'] : [];
	if (asked.length === 0) return [];
	const names = asked.map((key) => `'local.${key}'`).join(' and ');
	return [`${names} had no effect: ${whyUnheard(sources.length, tools.texts, speechFailure)}`];
}

function whyUnheard(
	trackCount: number,
	{ transcriber }: TextTools,
	failure: EditFailure | undefined,
): string {
	if (trackCount > 1) return 'words change the cuts of a single file only';
	if (transcriber === undefined) return 'this service has no recognizer';
	return failure === undefined ? 'no words were recognized' : withoutStage(reasonOf(failure));
}

/** Writes the speech of a source to disk; returns its length in seconds. The source then knows its sound. */
async function readSource(
	{ tools, signal }: Run,
	source: EngineSource,
	outputPath: string,
): Promise<number> {
	const { engine, maxSourceSeconds } = tools;
	const { path: sourcePath } = source;
	const request = { sourcePath, sound: source.sound, maxSourceSeconds, outputPath };
	const { seconds, sound } = await engine.readSpeech(request, signal);
	source.sound = sound;
	return seconds;
}

/**
 * Writes transcript, summary and posts next to the edited file. The sound is finished by then, so a failure
 * leaves out the texts and does not end the edit.
 *
 * @returns notes on what failed.
 * @throws the signal's reason when aborted, and what no edit can go on with, such as a full disk.
 */
export async function addTexts(
	run: Run,
	{ sources, recognized, speechFailure }: RunInput,
	result: RecordingResult,
): Promise<string[]> {
	if (!run.edit.request.config.transcription) return [];
	try {
		// What has just failed would fail again.
		if (speechFailure !== undefined) throw speechFailure;
		// The machine may have ended the recognizer: it gets the tries that a server's answer gets.
		await retried(run, 'POSTPROCESSING', () => makeTexts(run, sources, result, recognized));
		return [];
	} catch (error) {
		const reason = await whyUnrecognized(run, error);
		await rm(join(run.folders.unfinishedResult, TEXTS_FILE_NAME), { force: true });
		return [`transcription failed: ${reason}`];
	}
}

/**
 * Says why recognition failed that an edit can do without.
 * @throws the signal's reason when aborted, and what no edit can go on with, such as a full disk.
 */
export async function whyUnrecognized(run: Run, error: unknown): Promise<string> {
	run.signal.throwIfAborted();
	await run.track.tellRecognized(undefined);
	if (isDiskFull(error) || isOutOfHandles(error) || error instanceof DatabaseTrouble) throw error;
	const isUnknown = failureKindOf(error) === 'unknown';
	if (isUnknown) run.tools.log(stackOf(error));
	return withoutStage(isUnknown ? "the service's log says why" : reasonOf(error));
}

/** A reason without the stage that the note names itself. */
function withoutStage(reason: string): string {
	return reason.replace(/^Transcription: /, '');
}

/**
 * Makes the texts.
 *
 * @param recognized the speech of the source if already recognized, so that it is not recognized twice.
 */
async function makeTexts(
	run: Run,
	sources: readonly EngineSource[],
	result: RecordingResult,
	recognized: RecognizedSpeech | undefined,
): Promise<void> {
	const { edit, tools, folders } = run;
	const { work: workFolder, unfinishedResult: resultFolder } = folders;
	const { config } = edit.request;
	const trackPaths = await editedTracks(
		join(workFolder, 'tracks'),
		sources.map(({ name }) => name),
		join(resultFolder, result.fileName),
	);
	const words = recognized && wordsAfterEdits(recognized.words, result.edits, config.muted);
	const { insertions } = result;
	const recording = { config, words, trackPaths, insertions, workFolder, resultFolder };
	await writeTexts(recording, tools.texts, textHelp(run, 'POSTPROCESSING'));
}

/** Returns what a text step needs from its edit; after a retry the edit returns to `status`. */
export function textHelp(run: Run, status: KnownEditStatus): TextHelp {
	return {
		signal: run.signal,
		waitForTurn: () => run.turn.acquire(),
		retried: (step) => retried(run, status, step),
		say: (what) => {
			run.track.say(what);
		},
		tellRecognized: (share) => run.track.tellRecognized(share),
	};
}
