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

/** What is said in a recording of one track, where the engine can make use of it. */
export async function listen(run: Run, sources: readonly EngineSource[]) {
	const { job, workbench, folders, signal } = run;
	if (sources.length > 1) return undefined;
	const [{ path: sourcePath }] = sources;
	const { longestSourceSeconds } = workbench;
	const readSpeech = async () => {
		const folder = join(folders.work, 'heard');
		await mkdir(folder, { recursive: true });
		const path = join(folder, 'source.raw');
		await run.turn.take();
		const order = { sourcePath, longestSourceSeconds, outputPath: path };
		return { path, folder, seconds: await workbench.engine.readSpeech(order, signal) };
	};
	const order = { config: job.request.config, readSpeech };
	return await heardWords(order, workbench.texts.transcriber, textHelp(run, 'PREPROCESSING'));
}

/**
 * Transcript, summary and posts, beside the edited file.
 *
 * @param heard what was said in the source, where a recogniser has listened to it: it is not asked twice.
 */
export async function addTexts(
	run: Run,
	result: RecordingResult,
	heard: HeardSpeech | undefined,
): Promise<void> {
	const { job, workbench, folders } = run;
	const { work: workFolder, unfinishedResult: resultFolder } = folders;
	const { config } = job.request;
	const order = {
		config,
		words: heard && wordsAfterEdits(heard.words, result.edits, config.muted),
		mediaPaths: await editedTracks(
			join(workFolder, 'tracks'),
			job.request.sources.map(({ name }) => name),
			join(resultFolder, result.fileName),
		),
		workFolder,
		resultFolder,
	};
	await writeTexts(order, workbench.texts, textHelp(run, 'POSTPROCESSING'));
}

/** What the work with texts is given by an edit in a status. */
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
