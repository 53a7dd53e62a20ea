import { pcmInputArguments, type PcmFile } from './pcmFile.mts';
import { streamFfmpeg } from './run.mts';

/** Blocks quieter than this never count, ITU-R BS.1770. */
const ABSOLUTE_GATE_LUFS = -70;

/** Blocks so much quieter than the mean of the others do not count either, in LU. */
const RELATIVE_GATE_LU = -10;

/**
 * Measures integrated loudness (EBU R128 / ITU-R BS.1770).
 *
 * ffmpeg weighs and sums the overlapping 400 ms blocks; the gates are ours, so that the gate level
 * of the interface can be honoured: blocks quieter than `gateLufs` or -70 LUFS, whichever is
 * higher, do not count, nor do blocks 10 LU below the mean of those that are left.
 *
 * @param gateLufs the `mute_lufs` of the interface, in LUFS; -120 leaves the standard's gate alone.
 * @returns LUFS; null when no block is loud enough to count, as in silence or below 400 ms.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function measureLoudness(
	pcm: PcmFile,
	gateLufs: number,
	signal?: AbortSignal,
): Promise<number | null> {
	const blocks = await blockLoudness(pcm, signal);
	return integrated(blocks, Math.max(gateLufs, ABSOLUTE_GATE_LUFS));
}

/** Loudness of the 400 ms blocks in LUFS, ten a second. */
async function blockLoudness(pcm: PcmFile, signal?: AbortSignal): Promise<number[]> {
	const filter = 'ebur128=metadata=1,ametadata=mode=print:key=lavfi.r128.M:file=pipe\\\\:1';
	const args = [...pcmInputArguments(pcm), '-af', filter, '-f', 'null', '-'];
	const text = new TextDecoder();
	const blocks: number[] = [];
	let rest = '';
	for await (const bytes of streamFfmpeg(args, signal)) {
		const lines = (rest + text.decode(bytes, { stream: true })).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines) {
			const value = /^lavfi\.r128\.M=(.+)$/.exec(line)?.[1];
			if (value !== undefined) blocks.push(Number(value));
		}
	}
	// The first three end before 400 ms have been heard.
	return blocks.slice(3).filter((lufs) => Number.isFinite(lufs));
}

function integrated(blocks: readonly number[], absoluteGateLufs: number): number | null {
	const audible = blocks.filter((lufs) => lufs > absoluteGateLufs);
	if (audible.length === 0) return null;
	const relativeGateLufs = meanLufs(audible) + RELATIVE_GATE_LU;
	return meanLufs(audible.filter((lufs) => lufs > relativeGateLufs));
}

/** The mean of energies, not of decibels. */
function meanLufs(blocks: readonly number[]): number {
	const sum = blocks.reduce((energy, lufs) => energy + 10 ** (lufs / 10), 0);
	return 10 * Math.log10(sum / blocks.length);
}

/**
 * Measures the true peak with ffmpeg's four-fold oversampling.
 *
 * @returns dBTP; -Infinity for digital silence.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function measureTruePeak(pcm: PcmFile, signal?: AbortSignal): Promise<number> {
	const key = 'lavfi.r128.true_peaks_ch';
	const filter = 'ebur128=metadata=1:peak=true,ametadata=mode=print:file=pipe\\\\:1';
	let highest = 0;
	let rest = '';
	const args = [...pcmInputArguments(pcm), '-af', filter, '-f', 'null', '-'];
	for await (const bytes of streamFfmpeg(args, signal)) {
		const lines = (rest + Buffer.from(bytes).toString('latin1')).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines) {
			if (line.startsWith(key)) highest = Math.max(highest, Number(line.split('=')[1]));
		}
	}
	return 20 * Math.log10(highest);
}
