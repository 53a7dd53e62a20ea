import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { EngineSource } from '../engine/types.mts';
import { EditFailure } from '../shared/failures.mts';
import { needsRecognizer } from '../text/textStage.mts';
import { checkEdited } from '../text/wordCheck/checkEdited.mts';
import { WORDS_FILE_NAME } from '../text/wordCheck/wordsFile.mts';
import { confirmClaim, retried, type Run } from './claimedRun.mts';
import { succeed } from './publish.mts';
import { reserveResult } from './resultQuota.mts';
import { speechOfSource, textHelp } from './texts.mts';

/**
 * Compares what somebody else made of a recording with the recording, word by word, and ends with SUCCESS.
 *
 * @param fetchSources puts both on disk: only where they can be compared.
 * @throws EditFailure where that is impossible, TransientTrouble, the signal's reason when aborted.
 */
export async function runCheck(
	run: Run,
	fetchSources: () => Promise<readonly EngineSource[]>,
): Promise<void> {
	const { tools, track, folders, signal } = run;
	const { transcriber } = tools.texts;
	if (transcriber === undefined) {
		throw new EditFailure(`A check for lost words ${needsRecognizer()}`);
	}
	const sources = await fetchSources();
	const fetchedBytes = run.arrival.bytes;
	await run.turn.acquire();
	const source = await speechOfSource(run, sources[0]);
	const edited = await speechOfSource(run, sources[1], 'edited');
	await track.enter('CLASSIFICATION');
	const paths = { sourcePath: source.path, editedPath: edited.path };
	const alignment = await tools.engine.align(paths, signal);
	track.say(`is found in its source by ${Math.round(100 * alignment.share)} %`);
	const found = await retried(run, 'CLASSIFICATION', () =>
		checkEdited({ source, edited, alignment }, transcriber, textHelp(run, 'CLASSIFICATION')),
	);
	await track.tellRecognized(undefined);
	await track.enter('EXPORT');
	await writeFile(join(folders.unfinishedResult, WORDS_FILE_NAME), JSON.stringify(found));
	await reserveResult(run, fetchedBytes);
	await confirmClaim(run);
	await succeed(run, { ...NOTHING_MADE, ...lengthsOf(source, edited) }, null);
}

/** A check makes one file, and nothing of sound. */
const NOTHING_MADE = {
	fileName: WORDS_FILE_NAME,
	mergedFileNames: [],
	uncutFileNames: [],
	statistics: {},
	markerFileNames: [],
	edits: [],
	insertions: [],
	noiseLoweredDb: 0,
	notes: [],
	loudness: null,
	silencesSavedSeconds: 0,
	wordCheck: null,
};

function lengthsOf(source: { seconds: number }, edited: { seconds: number }) {
	return { durationBeforeSeconds: source.seconds, durationAfterSeconds: edited.seconds };
}
