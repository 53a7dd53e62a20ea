import { measureLoudness } from '../media/loudness.mts';
import { openPcm, PcmReader, PcmWriter, type PcmFile } from '../media/pcmFile.mts';
import { TruePeakLimiter, type LimiterSettings } from './truePeakLimiter.mts';

/** What loudness is wanted. */
export interface LoudnessGoal {
	/** Integrated loudness, LUFS. */
	targetLufs: number;
	/** `mute_lufs`: blocks quieter than this do not count when loudness is measured, LUFS. */
	gateLufs: number;
	/** No true peak exceeds this, dBTP. */
	ceilingDbtp: number;
}

/** Nearer than this to the target is good enough, in LU. */
const TOLERANCE_LU = 0.25;

/** What the limiter takes is made up for so many times; after that the ceiling stands in the way. */
const MAXIMUM_PASSES = 4;

/**
 * How much louder a limited recording becomes for each decibel of gain: a first guess, and the
 * least that is reckoned with, lest the gain run away when the ceiling lets nothing through.
 */
const USUAL_SLOPE = 0.7;
const LEAST_SLOPE = 0.3;

/** More would only bring up the noise of a recording that holds next to nothing, dB. */
const MAXIMUM_GAIN_DB = 50;

/**
 * Brings a recording to a loudness: one gain for all of it, and a limiter for the peaks. A
 * recording without anything loud enough to measure is left as it is.
 *
 * @returns the input when nothing had to be done, else the file at `outputPath`.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function normalizeLoudness(
	input: PcmFile,
	goal: LoudnessGoal,
	outputPath: string,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const loudness = await measureLoudness(input, goal.gateLufs, signal);
	if (loudness === null) return input;
	const ceiling = factorOf(goal.ceilingDbtp);
	let gainDb = Math.min(goal.targetLufs - loudness, MAXIMUM_GAIN_DB);
	let last: { gainDb: number; lufs: number } | undefined;
	for (let pass = 1; ; pass++) {
		const settings = { gain: factorOf(gainDb), ceiling };
		const hasLimited = await applyLimiter(input, settings, outputPath, signal);
		const output = await openPcm(outputPath, input);
		if (!hasLimited || pass === MAXIMUM_PASSES) return output;
		const lufs = (await measureLoudness(output, goal.gateLufs, signal)) ?? goal.targetLufs;
		const missingLu = goal.targetLufs - lufs;
		if (Math.abs(missingLu) <= TOLERANCE_LU) return output;
		const slope = last ? (lufs - last.lufs) / (gainDb - last.gainDb) : USUAL_SLOPE;
		last = { gainDb, lufs };
		gainDb += missingLu / Math.min(1, Math.max(LEAST_SLOPE, slope));
	}
}

/** Writes the input with gain and limiter; true when the limiter had something to do. */
async function applyLimiter(
	input: PcmFile,
	settings: LimiterSettings,
	outputPath: string,
	signal?: AbortSignal,
): Promise<boolean> {
	const limiter = new TruePeakLimiter(settings, input);
	await using reader = await PcmReader.open(input);
	await using writer = await PcmWriter.create(outputPath);
	let samplesToDrop = limiter.delayFrames * input.channels;
	const write = async (samples: Float32Array) => {
		await writer.write(samples.subarray(samplesToDrop));
		samplesToDrop = Math.max(0, samplesToDrop - samples.length);
	};
	for await (const chunk of reader.chunks(0, input.frames)) {
		signal?.throwIfAborted();
		await write(limiter.process(chunk));
	}
	await write(limiter.flush());
	return limiter.hasLimited;
}

function factorOf(decibels: number): number {
	return 10 ** (decibels / 20);
}
