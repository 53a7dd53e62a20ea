import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

import { firstFrom } from '../../engine/signal/levels.mts';
import type { RecognizedSpeech, SpokenWord, TimeRange } from '../../shared/timeRanges.mts';
import { SPEECH_RATE_HZ, SPEECH_SAMPLE_BYTES, type SpeechAudio } from '../speech/speech.mts';
import type { TextHelp, Transcriber } from '../speech/transcriber.mts';

/** Silence between two windows, so that no word reaches from one into the next, seconds. */
const BETWEEN_SECONDS = 1;

/** Bytes that are copied at a time. */
const PART_BYTES = 1 << 20;

/**
 * Lets a recognizer hear some stretches of a recording, as one sound with silence between them.
 *
 * @param windows in order and without overlap.
 * @param name of the file to write in the folder of the speech.
 * @returns their words at times of the recording.
 * @throws EditFailure when recognition fails, the signal's reason when aborted.
 */
export async function hearWindows(
	speech: SpeechAudio,
	windows: readonly TimeRange[],
	name: string,
	transcriber: Transcriber,
	help: TextHelp,
): Promise<RecognizedSpeech> {
	const path = join(speech.folder, `${name}.raw`);
	const { seconds, starts } = await writeWindows(speech, windows, path, help.signal);
	const { folder } = speech;
	const heard = await transcriber.transcribe({ path, seconds, folder }, help);
	const words = heard.words.flatMap((word): SpokenWord[] => {
		const middle = (word.startSeconds + word.endSeconds) / 2;
		const at = firstFrom(starts, (start) => start <= middle) - 1;
		if (at < 0) return [];
		const { startSeconds, endSeconds } = windows[at];
		const moved = (time: number) =>
			Math.min(endSeconds, Math.max(startSeconds, time - starts[at] + startSeconds));
		const [from, to] = [moved(word.startSeconds), moved(word.endSeconds)];
		return [{ ...word, startSeconds: from, endSeconds: to }];
	});
	return { ...heard, words: words.toSorted((a, b) => a.startSeconds - b.startSeconds) };
}

/** Writes the windows into a file; returns its length, and where each begins there. */
async function writeWindows(
	speech: SpeechAudio,
	windows: readonly TimeRange[],
	path: string,
	signal: AbortSignal,
) {
	await using source = await open(speech.path, 'r');
	await using file = await open(path, 'w');
	const { size } = await source.stat();
	const between = new Uint8Array(bytesOf(BETWEEN_SECONDS));
	const starts: number[] = [];
	let written = 0;
	for (const { startSeconds, endSeconds } of windows) {
		starts.push(written / SPEECH_SAMPLE_BYTES / SPEECH_RATE_HZ);
		const [start, end] = [startSeconds, endSeconds].map((one) => Math.min(size, bytesOf(one)));
		for (let from = start; from < end; from += PART_BYTES) {
			signal.throwIfAborted();
			await copy(source, from, Math.min(PART_BYTES, end - from), file);
		}
		await file.writeFile(between);
		written += Math.max(0, end - start) + between.length;
	}
	return { seconds: written / SPEECH_SAMPLE_BYTES / SPEECH_RATE_HZ, starts };
}

async function copy(
	source: FileHandle,
	from: number,
	length: number,
	file: FileHandle,
): Promise<void> {
	const { buffer, bytesRead } = await source.read(new Uint8Array(length), 0, length, from);
	await file.writeFile(buffer.subarray(0, bytesRead));
}

/** Bytes of whole samples. */
function bytesOf(seconds: number): number {
	return Math.round(seconds * SPEECH_RATE_HZ) * SPEECH_SAMPLE_BYTES;
}
