import { open, stat, type FileHandle } from 'node:fs/promises';

/** Bytes of one 32-bit float sample. */
const SAMPLE_BYTES = 4;

/** How PCM is laid out: 32-bit float, little endian, channels interleaved, full scale ±1. */
export interface PcmFormat {
	sampleRateHz: number;
	channels: number;
}

/** Raw PCM on disk. A frame is one sample of every channel. */
export interface PcmFile extends PcmFormat {
	path: string;
	frames: number;
}

/** Frames handled at a time: about 1.4 s, small beside any memory limit. */
export const CHUNK_FRAMES = 65_536;

/** The raw PCM file at a path, its length taken from its size. */
export async function openPcm(path: string, format: PcmFormat): Promise<PcmFile> {
	const { sampleRateHz, channels } = format;
	const { size } = await stat(path);
	return { path, sampleRateHz, channels, frames: Math.floor(size / (SAMPLE_BYTES * channels)) };
}

/** ffmpeg's options for reading a raw PCM file. */
export function pcmInputArguments({ path, sampleRateHz, channels }: PcmFile): string[] {
	return [
		'-f',
		'f32le',
		'-ar',
		String(sampleRateHz),
		'-ac',
		String(channels),
		'-i',
		`file:${path}`,
	];
}

/** Reads frames anywhere in a raw PCM file. */
export class PcmReader implements AsyncDisposable {
	readonly #handle: FileHandle;
	readonly #channels: number;

	private constructor(handle: FileHandle, channels: number) {
		this.#handle = handle;
		this.#channels = channels;
	}

	static async open({ path, channels }: PcmFile): Promise<PcmReader> {
		return new PcmReader(await open(path, 'r'), channels);
	}

	/**
	 * Reads frames, interleaved.
	 *
	 * @throws Error when the file ends before `startFrame + frameCount`.
	 */
	async read(startFrame: number, frameCount: number): Promise<Float32Array> {
		const samples = new Float32Array(frameCount * this.#channels);
		const bytes = new Uint8Array(samples.buffer);
		const position = startFrame * this.#channels * SAMPLE_BYTES;
		let filled = 0;
		while (filled < bytes.length) {
			const rest = bytes.length - filled;
			const { bytesRead } = await this.#handle.read(bytes, filled, rest, position + filled);
			if (bytesRead === 0) throw new Error('The intermediate audio file is shorter than expected');
			filled += bytesRead;
		}
		return samples;
	}

	/** Yields the frames of a range in chunks. */
	async *chunks(startFrame: number, endFrame: number): AsyncGenerator<Float32Array> {
		for (let frame = startFrame; frame < endFrame; frame += CHUNK_FRAMES) {
			yield await this.read(frame, Math.min(CHUNK_FRAMES, endFrame - frame));
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#handle.close();
	}
}

/** Writes frames one after the other, or from a given frame on. */
export class PcmWriter implements AsyncDisposable {
	readonly #handle: FileHandle;
	#positionBytes: number;

	private constructor(handle: FileHandle, positionBytes: number) {
		this.#handle = handle;
		this.#positionBytes = positionBytes;
	}

	/** Creates a file, or replaces it. */
	static async create(path: string): Promise<PcmWriter> {
		return new PcmWriter(await open(path, 'w'), 0);
	}

	/** Writes into a file that exists, from a frame on; others may write elsewhere meanwhile. */
	static async at(path: string, channels: number, startFrame: number): Promise<PcmWriter> {
		return new PcmWriter(await open(path, 'r+'), startFrame * channels * SAMPLE_BYTES);
	}

	/** Writes interleaved samples. */
	async write(samples: Float32Array): Promise<void> {
		const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
		let written = 0;
		while (written < bytes.length) {
			const rest = bytes.length - written;
			const position = this.#positionBytes + written;
			const { bytesWritten } = await this.#handle.write(bytes, written, rest, position);
			written += bytesWritten;
		}
		this.#positionBytes += written;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#handle.close();
	}
}
