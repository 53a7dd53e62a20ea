import { rm, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

import {
	openPcm,
	pcmInputArguments,
	pcmSourceOf,
	PcmWriter,
	type PcmFile,
} from '../../media/pcmFile.mts';
import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { runFfmpeg, streamFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import { surveyOf } from './noiseSurvey.mts';
import { humLoopFrames, Notches } from './notches.mts';

/** Added to the measured level of the noise, dB: without it, the filter leaves most of the noise. */
const MARGIN_DB = 6;

/** The levels of noise that the filter accepts, dBFS. */
const [MIN_NOISE_DB, MAX_NOISE_DB] = [-80, -20] as const;

/** The notches hear the beginning of a recording this many times before they filter it. */
const WARM_UP_LOOPS = 2;

/**
 * The former noise engine: spectral subtraction of white noise. Its own tracking of the noise
 * (`tn=1`) is too slow and leaves nearly everything from 10 dB of noise on, so it is measured here.
 */
function filterFor(noiseDb: number): string {
	const level = Math.min(MAX_NOISE_DB, Math.max(MIN_NOISE_DB, noiseDb + MARGIN_DB));
	return `afftdn=nr=12:nf=${level.toFixed(1)}`;
}

/**
 * Reduces noise with ffmpeg's afftdn, the engine that `remove_noise: "legacy"` pins, and mains hum
 * with notches. The output is as long as the input and in step with it.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function reduceNoiseLegacy(
	input: PcmFile,
	outputPath: string,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const { humHz, noiseDb } = await surveyOf(input, 'measured', signal);
	const filter = filterFor(noiseDb);
	const delayFrames = await filterDelayFrames(filter, input.sampleRateHz, signal);
	const filters = [
		// What the filter holds back at the end is pushed out by silence.
		`apad=pad_len=${delayFrames}`,
		filter,
		`atrim=start_sample=${delayFrames}`,
		'asetpts=PTS-STARTPTS',
		`apad=whole_len=${input.frames}`,
		`atrim=end_sample=${input.frames}`,
	].join(',');
	const output = ['-f', 'f32le', fileArgument(outputPath)];
	const notched = humHz.length > 0 ? await withoutHum(input, humHz, outputPath, signal) : input;
	await runFfmpeg([...pcmInputArguments(notched), '-af', filters, ...output], signal);
	if (notched !== input) await rm(notched.path);
	return await openPcm(outputPath, input);
}

/** Writes a copy without hum beside the output. The notches have settled when it begins. */
async function withoutHum(
	input: PcmFile,
	humHz: readonly number[],
	outputPath: string,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const path = `${outputPath}.notched`;
	const notches = new Notches(humHz, input);
	const source = pcmSourceOf(input);
	const loopFrames = humLoopFrames(humHz, input);
	for (let loop = 0; loop < WARM_UP_LOOPS; loop++) {
		for await (const chunk of source.chunks(0, loopFrames)) notches.write(chunk);
	}
	await writeFile(path, '');
	await using writer = await PcmWriter.at(path, input.channels, 0);
	for await (const chunk of source.chunks(0, input.frames)) {
		signal?.throwIfAborted();
		notches.write(chunk);
		await writer.write(chunk);
	}
	return { ...input, path };
}

/**
 * By how many frames the filter delays what passes through it: 25 ms in ffmpeg 5.1, nothing in the
 * build of 2018. An impulse shows it.
 */
async function filterDelayFrames(filter: string, sampleRateHz: number, signal?: AbortSignal) {
	const impulseFrame = Math.round(sampleRateHz / 2);
	const source = `aevalsrc=if(eq(n\\,${impulseFrame})\\,0.9\\,0):s=${sampleRateHz}:d=1`;
	const args = ['-f', 'lavfi', '-i', source, '-af', filter, '-f', 'f32le', 'pipe:1'];
	const bytes = await buffer(streamFfmpeg(args, signal));
	const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset), 0, bytes.length >> 2);
	const loudestFrame = samples.reduce(
		(loudest, sample, frame) => (Math.abs(sample) > Math.abs(samples[loudest]) ? frame : loudest),
		impulseFrame,
	);
	return Math.max(0, loudestFrame - impulseFrame);
}
