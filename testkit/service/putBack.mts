import type { Cut } from '../../service/shared/cuts.mts';

/** Returns the frames of a WAV file of 16 bits. */
export function framesOf(wav: Buffer): Buffer[] {
	const frameBytes = 2 * wav.readUInt16LE(wav.indexOf('fmt ') + 10);
	const from = wav.indexOf('data') + 8;
	const data = wav.subarray(from, from + wav.readUInt32LE(from - 4));
	return Array.from({ length: data.length / frameBytes }, (_, index) =>
		data.subarray(index * frameBytes, (index + 1) * frameBytes),
	);
}

/**
 * Counts the cuts that were put back, but whose samples in the edited WAV file are not those of the uncut
 * one; all of them if the edited file has another length than its cuts say.
 */
export function changedCuts(edited: Buffer, uncut: Buffer, cuts: readonly Cut[]): number {
	const [now, before] = [framesOf(edited), framesOf(uncut)];
	let [removed, changed] = [0, 0];
	for (const { start, end, keep } of cuts) {
		if (keep) {
			const place = start - removed;
			const back = Buffer.concat(now.slice(place, place + end - start));
			if (!back.equals(Buffer.concat(before.slice(start, end)))) changed += 1;
		} else removed += end - start;
	}
	return now.length === before.length - removed ? changed : cuts.length;
}
