import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { KnownEditStatus } from '../shared/contract.mts';
import type { EngineSource, RecordingResult } from '../engine/types.mts';
import { editedTracks } from '../text/editedTracks.mts';
import { heardWords } from '../text/heardWords.mts';
import { writeTexts } from '../text/textStage.mts';
import type { TextHelp } from '../text/transcriber.mts';
import { wordsAfterEdits } from '../text/wordsAfterEdits.mts';
import { retried, type Run } from './workbench.mts';
import type { HeardSpeech } from '../shared/timeRanges.mts';

/** Returns the recognised speech of a single-track recording, if the engine needs it. */
export async function listen(run: Run, sources: readonly EngineSource[]) {
	const { edit, workbench, folders, signal } = run;
	if (sources.length > 1) return undefined;
	const [{ path: sourcePath }] = sources;
	const { longestSourceSeconds } = workbench;
	const readSpeech = async () => {
		const folder = join(folders.work, 'heard');
		await mkdir(folder, { recursive: true });
		const path = join(folder, 'source.raw');
		await run.turn.take();
		const speech = { sourcePath, longestSourceSeconds, outputPath: path };
		return { path, folder, seconds: await workbench.engine.readSpeech(speech, signal) };
	};
	const recording = { config: edit.request.config, readSpeech };
	return await heardWords(recording, workbench.texts.transcriber, textHelp(run, 'PREPROCESSING'));
}

/**
 * Writes transcript, summary and posts next to the edited file.
 *
 * @param heard the speech of the source if already recognised, so that it is not recognised twice.
 */
export async function addTexts(
	run: Run,
	result: RecordingResult,
	heard: HeardSpeech | undefined,
): Promise<void> {
	const { edit, workbench, folders } = run;
	const { work: workFolder, unfinishedResult: resultFolder } = folders;
	const { config } = edit.request;
	const recording = {
		config,
		words: heard && wordsAfterEdits(heard.words, result.edits, config.muted),
		mediaPaths: await editedTracks(
			join(workFolder, 'tracks'),
			edit.request.sources.map(({ name }) => name),
			join(resultFolder, result.fileName),
		),
		workFolder,
		resultFolder,
	};
	await writeTexts(recording, workbench.texts, textHelp(run, 'POSTPROCESSING'));
}

/** Returns what a text step needs from its edit; after a retry the edit returns to `status`. */
function textHelp(run: Run, status: KnownEditStatus): TextHelp {
	return {
		signal: run.signal,
		takeTurn: () => run.turn.take(),
		retried: (step) => retried(run, status, step),
		say: (what) => {
			run.track.say(what);
		},
	};
}
