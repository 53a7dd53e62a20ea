import { editedAudio } from '../editedAudio.mts';
import { factorOf } from '../signal/levels.mts';
import type { PcmSource } from '../../media/pcmFile.mts';
import { rangesAtRate, sharedRanges } from '../sharedTimeline.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { wavHeader } from '../../media/wavHeader.mts';
import type { KeptRecording } from './keptSchema.mts';
import { unpackStretch } from './keptSound.mts';

/** A few seconds of a recording, and what is cut there, in samples of its cuts. */
export interface Stretch extends IndexRange {
	cuts: readonly IndexRange[];
}

const FULL_SCALE = 32_767;

/**
 * Returns a stretch of a kept track as it will sound, as a WAV file of 16 bits at the draft's loudness.
 *
 * @param pathOf puts a kept file on this disk and returns its path.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function stretchOf(
	kept: KeptRecording,
	track: number,
	{ start, end, cuts }: Stretch,
	pathOf: (name: string) => Promise<string>,
	signal: AbortSignal,
): Promise<Buffer> {
	const { sampleRateHz, frames, gainDb } = kept.tracks[track];
	const [from, to] = [start, end].map((sample) =>
		Math.min(frames, Math.round((sample / kept.sampleRateHz) * sampleRateHz)),
	);
	const wanted = { start: from, end: to };
	const uncut = await unpackStretch(kept.tracks[track], track, wanted, pathOf, signal);
	const ranges = cuts.map((cut) => ({
		startSeconds: Math.max(0, cut.start - start) / kept.sampleRateHz,
		endSeconds: Math.max(0, Math.min(cut.end, end) - start) / kept.sampleRateHz,
	}));
	const own = rangesAtRate(sharedRanges(ranges, true), sampleRateHz, uncut.frames);
	return await wavOf(
		editedAudio(uncut, own, { mode: kept.mode, isExact: true, fadeSeconds: kept.fadeSeconds }),
		factorOf(gainDb),
	);
}

/** Returns sound as a WAV file of 16 bits. What would be over full scale is held there. */
export async function wavOf(sound: PcmSource, gain: number): Promise<Buffer> {
	const { channels, frames } = sound;
	const dataBytes = 2 * channels * frames;
	const header = wavHeader(sound, dataBytes);
	const file = Buffer.alloc(header.length + dataBytes);
	let place = header.copy(file);
	for await (const chunk of sound.chunks(0, frames)) {
		for (const sample of chunk) {
			const value = Math.max(-1, Math.min(1, sample * gain));
			place = file.writeInt16LE(Math.round(value * FULL_SCALE), place);
		}
	}
	return file;
}
