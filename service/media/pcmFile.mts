import { open, stat, type FileHandle } from 'node:fs/promises';

/** Sample formats by ffmpeg's names: 32-bit float or 16-bit integer. */
export type SampleFormat = 'f32le' | 's16le';

const SAMPLE_BYTES: Readonly<Record<SampleFormat, number>> = { f32le: 4, s16le: 2 };

/** Full scale of a 16-bit integer. */
const FULL_SCALE = 32_768;

/** 60 dB above full scale. A larger float, an infinite one or none is no sound. */
const MAX_SAMPLE = 1_000;

/** PCM layout: interleaved channels, little endian, full scale ±1. */
export interface PcmFormat {
	sampleRateHz: number;
	channels: number;
}

/** PCM layout in a file. */
export interface PcmFileFormat extends PcmFormat {
	/** Default: float. Integers where half the size matters more than precision. */
	sampleFormat?: SampleFormat;
}

/** Raw PCM on disk. A frame is one sample of every channel. */
export interface PcmFile extends PcmFileFormat {
	path: string;
	frames: number;
}

/** Audio computed while it is read: from any frame, repeatedly, and by several readers at once. */
export interface PcmSource extends PcmFormat {
	frames: number;
	/** Yields interleaved samples up to, not including, `endFrame`, in chunks of any length. */
	chunks(startFrame: number, endFrame: number): AsyncIterable<Float32Array>;
}

/** Frames per chunk: about 1.4 s at 48 kHz. */
export const CHUNK_FRAMES = 65_536;

/** Describes the raw PCM file at a path; its length follows from its size. */
export async function openPcm(path: string, format: PcmFileFormat): Promise<PcmFile> {
	const { sampleRateHz, channels, sampleFormat = 'f32le' } = format;
	const { size } = await stat(path);
	const frames = Math.floor(size / (SAMPLE_BYTES[sampleFormat] * channels));
	return { path, sampleRateHz, channels, frames, sampleFormat };
}

/** Reads a file as a `PcmSource`. */
export function pcmSourceOf(file: PcmFile): PcmSource {
	const { sampleRateHz, channels, frames } = file;
	return {
		sampleRateHz,
		channels,
		frames,
		async *chunks(startFrame, endFrame) {
			await using reader = await PcmReader.open(file);
			yield* reader.chunks(startFrame, endFrame);
		},
	};
}

/** Reads a few frames into one array. */
export async function readFrames(
	source: PcmSource,
	startFrame: number,
	frames: number,
): Promise<Float32Array> {
	const samples = new Float32Array(frames * source.channels);
	let filled = 0;
	for await (const chunk of source.chunks(startFrame, startFrame + frames)) {
		samples.set(chunk, filled);
		filled += chunk.length;
	}
	return samples;
}

/**
 * Writes audio to a file of 32-bit floats.
 *
 * @throws the signal's reason when aborted.
 */
export async function writePcm(
	source: PcmSource,
	outputPath: string,
	signal?: AbortSignal,
): Promise<PcmFile> {
	{
		await using writer = await PcmWriter.create(outputPath);
		for await (const chunk of source.chunks(0, source.frames)) {
			signal?.throwIfAborted();
			await writer.write(chunk);
		}
	}
	const { sampleRateHz, channels } = source;
	return await openPcm(outputPath, { sampleRateHz, channels });
}

/** ffmpeg's options to read a raw PCM file. */
export function pcmInputArguments({ path, ...format }: PcmFile): string[] {
	return [...pcmFormatArguments(format), '-i', `file:${path}`];
}

/** ffmpeg's options for raw PCM input; they go before `-i`. */
export function pcmFormatArguments(format: PcmFileFormat): string[] {
	const { sampleRateHz, channels, sampleFormat = 'f32le' } = format;
	return ['-f', sampleFormat, '-ar', String(sampleRateHz), '-ac', String(channels)];
}

/** Reads frames at any position of a raw PCM file. */
export class PcmReader implements AsyncDisposable {
	private readonly handle: FileHandle;
	private readonly channels: number;
	private readonly sampleFormat: SampleFormat;
	private integers = new Int16Array(0);

	private constructor(handle: FileHandle, { channels, sampleFormat = 'f32le' }: PcmFile) {
		this.handle = handle;
		this.channels = channels;
		this.sampleFormat = sampleFormat;
	}

	static async open(file: PcmFile): Promise<PcmReader> {
		return new PcmReader(await open(file.path, 'r'), file);
	}

	/**
	 * Reads interleaved frames.
	 *
	 * @throws Error when the file ends before `startFrame + frameCount`.
	 */
	async read(startFrame: number, frameCount: number): Promise<Float32Array> {
		return await this.readInto(new Float32Array(frameCount * this.channels), startFrame);
	}

	/**
	 * Fills an array with interleaved frames and returns it. Used again and again, it spares the
	 * memory that V8 would free late: each thread keeps some 64 MB of arrays that nobody needs.
	 *
	 * @throws Error when the file ends before the array is full.
	 */
	async readInto(samples: Float32Array, startFrame: number): Promise<Float32Array> {
		const sampleBytes = SAMPLE_BYTES[this.sampleFormat];
		const position = startFrame * this.channels * sampleBytes;
		if (this.sampleFormat === 'f32le') {
			await this.fill(
				new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
				position,
			);
			return withoutBroken(samples);
		}
		const { length } = samples;
		if (this.integers.length < length) this.integers = new Int16Array(length);
		await this.fill(new Uint8Array(this.integers.buffer, 0, length * sampleBytes), position);
		return asFloats(this.integers, samples);
	}

	private async fill(bytes: Uint8Array, position: number): Promise<void> {
		let filled = 0;
		while (filled < bytes.length) {
			const rest = bytes.length - filled;
			const { bytesRead } = await this.handle.read(bytes, filled, rest, position + filled);
			if (bytesRead === 0) throw new Error('The intermediate audio file is shorter than expected');
			filled += bytesRead;
		}
	}

	/** Yields the frames of a range in chunks; reads the next chunk while the caller uses this one. */
	async *chunks(startFrame: number, endFrame: number): AsyncGenerator<Float32Array> {
		const chunkAt = (frame: number) => this.read(frame, Math.min(CHUNK_FRAMES, endFrame - frame));
		let next = startFrame < endFrame ? chunkAt(startFrame) : undefined;
		for (let frame = startFrame + CHUNK_FRAMES; next; frame += CHUNK_FRAMES) {
			const chunk = await next;
			next = frame < endFrame ? chunkAt(frame) : undefined;
			// A caller that stops early never awaits this read, so its failure must not go unhandled.
			next?.catch(() => undefined);
			yield chunk;
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.handle.close();
	}
}

/** A loop in a function that does nothing else is compiled at once. */
function asFloats(integers: Int16Array, samples: Float32Array): Float32Array {
	for (let i = 0; i < samples.length; i++) samples[i] = integers[i] / FULL_SCALE;
	return samples;
}

/** Silences broken samples in place: one would make filters and networks broken from there on. */
export function withoutBroken(samples: Float32Array): Float32Array {
	for (let i = 0; i < samples.length; i++) {
		if (!(Math.abs(samples[i]) <= MAX_SAMPLE)) samples[i] = 0;
	}
	return samples;
}

/** Writes frames as 32-bit floats, from the start of a file or from a given frame. */
export class PcmWriter implements AsyncDisposable {
	private readonly handle: FileHandle;
	private positionBytes: number;

	private constructor(handle: FileHandle, positionBytes: number) {
		this.handle = handle;
		this.positionBytes = positionBytes;
	}

	/** Creates or replaces a file. */
	static async create(path: string): Promise<PcmWriter> {
		return new PcmWriter(await open(path, 'w'), 0);
	}

	/** Writes into an existing file from a frame on. Several writers may share the file. */
	static async at(path: string, channels: number, startFrame: number): Promise<PcmWriter> {
		return new PcmWriter(await open(path, 'r+'), startFrame * channels * SAMPLE_BYTES.f32le);
	}

	async write(samples: Float32Array): Promise<void> {
		const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
		let written = 0;
		while (written < bytes.length) {
			const rest = bytes.length - written;
			const position = this.positionBytes + written;
			const { bytesWritten } = await this.handle.write(bytes, written, rest, position);
			written += bytesWritten;
		}
		this.positionBytes += written;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.handle.close();
	}
}
