import { HeaderWalk } from '../../../formats/duration/headerWalk';
import { Mp3Frames } from '../../../formats/duration/mp3Frames';
import { type WavSound, wavSound } from '../../../formats/duration/wavHeaders';
import { previewPassage } from '../../../formats/preview/passages';
import { type FilePart, wavPassage, wavSamples } from '../../../formats/preview/wavPreview';
import { type Passage, PassageCutter } from '../../../formats/tags/mp3/passageCutter';
import { listTime } from '../../../formats/values';
import type { FileBody } from '../../../api/fileBody';
import { toNodeError } from '../errors/errors';
import { HEAD_BYTES, fileType } from '../files/fileType';
import { extensionOf, withoutExtension } from '../files/mediaTypes';
import { takeHead } from '../files/takeHead';
import { fieldError } from '../form/fieldError';
import type { NodeRun } from '../run/nodeRun';
import { CHUNK_BYTES, partOf } from './filePart';
import { PREVIEW_LABEL } from './previewFields';
import type { Source } from './source';

/** A file of which a passage can be cut out without decoding. */
interface Cuttable {
	readonly seconds: number;
	/** The passage as a file of its own; undefined if the file does not have it. */
	cut(passage: Passage): Promise<Pick<Source, 'sizeBytes' | 'open'> | undefined>;
}

/** What is read of a file, until it is known or the file ends. */
interface Reader {
	push(chunk: Buffer): void;
	isDone?(): boolean;
}

/**
 * Refuses files of which no passage can be cut out, by how they begin, before anything is uploaded.
 *
 * @throws NodeOperationError
 */
export async function refuseUncuttable(
	run: NodeRun,
	itemIndex: number,
	sources: readonly Source[],
): Promise<void> {
	for (const source of sources) {
		const type = await typeOf(source);
		const isCuttable = type === 'wav' || (type === 'mp3' && (await hasFrames(run, source)));
		if (!isCuttable) throw uncuttable(run, itemIndex, source);
	}
}

/**
 * The same passage of each track of a recording, as files to upload. The length of the shortest track counts, so that
 * every track has the passage.
 *
 * @throws NodeOperationError for a file that is damaged, or neither an MP3 nor a WAV file
 */
export async function previewsOf(
	run: NodeRun,
	itemIndex: number,
	tracks: ReadonlyArray<readonly Source[]>,
	minutes: number,
): Promise<Source[][]> {
	const files = new Map<Source, Cuttable>();
	for (const source of tracks.flat()) files.set(source, await cuttable(run, itemIndex, source));
	const lengths = [...files.values()].map((file) => file.seconds);
	const passage = previewPassage(Math.min(...lengths), minutes * 60);
	const cut = async (source: Source): Promise<Source> => {
		const part = await files.get(source)?.cut(passage);
		if (part === undefined) throw uncuttable(run, itemIndex, source);
		return { ...source, ...part, fileName: previewName(source.fileName) };
	};
	const previews: Source[][] = [];
	for (const sources of tracks) {
		const track: Source[] = [];
		for (const source of sources) track.push(await cut(source));
		previews.push(track);
	}
	sayPassage(run, tracks.flat(), passage, Math.max(...lengths));
	return previews;
}

/** The edited file gets its name from this one, so that it does not overwrite that of the whole recording. */
function previewName(fileName: string): string {
	const name = withoutExtension(fileName);
	return `${name}-preview${fileName.slice(name.length)}`;
}

function sayPassage(
	run: NodeRun,
	[{ sourceFileName }]: readonly Source[],
	{ startSeconds, durationSeconds }: Passage,
	seconds: number,
): void {
	const [from, to] = [startSeconds, startSeconds + durationSeconds].map(listTime);
	const part = durationSeconds < seconds ? `${from} to ${to}` : 'all of it, because it is short';
	run.hints.add(
		`edited as a preview, without transcript and notes, and charged by itself. To edit whole recordings, remove '${PREVIEW_LABEL}'.`,
		`'${sourceFileName}' (${part})`,
		'info',
	);
}

/** The type of a file of which a passage may be cut out, by its first bytes; undefined for other files. */
async function typeOf(source: Source): Promise<'wav' | 'mp3' | undefined> {
	const content = await source.open();
	const head = (await takeHead(content, HEAD_BYTES)).subarray(0, HEAD_BYTES);
	if (!Buffer.isBuffer(content)) content.destroy();
	const byContent = fileType('', head, '');
	if (byContent === 'audio/wav') return 'wav';
	// Some recorders and editors leave a few bytes before the first frame.
	const isMp3 = byContent === 'audio/mpeg';
	const isNamedMp3 = byContent === undefined && extensionOf(source.fileName) === 'mp3';
	return isMp3 || isNamedMp3 ? 'mp3' : undefined;
}

/** Whether a file has frames of an MP3: what begins with ID3 may be an AAC or FLAC file with tags. */
async function hasFrames(run: NodeRun, source: Source): Promise<boolean> {
	const frames = new Mp3Frames(false);
	const push = (chunk: Buffer) => frames.push(chunk);
	await readUntil(run, source, { push, isDone: () => frames.isDecided });
	return frames.seconds() !== undefined;
}

async function cuttable(run: NodeRun, itemIndex: number, source: Source): Promise<Cuttable> {
	const type = await typeOf(source);
	const file =
		type === 'wav'
			? await cuttableWav(run, source)
			: type === 'mp3'
				? await cuttableMp3(run, source)
				: undefined;
	if (file === undefined) throw uncuttable(run, itemIndex, source);
	return file;
}

async function cuttableWav(run: NodeRun, source: Source): Promise<Cuttable | undefined> {
	const walk = new HeaderWalk<WavSound | undefined>(wavSound());
	await readUntil(run, source, { push: (chunk) => walk.push(chunk), isDone: () => walk.isDone });
	const sound = walk.found;
	const samples = sound && wavSamples(sound, source.sizeBytes);
	if (sound === undefined || samples === undefined) return undefined;
	return {
		seconds: samples.samples / samples.sampleRateHz,
		cut: async (passage) => {
			const part = wavPassage(sound, samples, passage);
			return part && filePart(source, part);
		},
	};
}

function filePart(source: Source, part: FilePart): Pick<Source, 'sizeBytes' | 'open'> {
	const { start, fromByte, toByte, end } = part;
	return {
		sizeBytes: start.length + (toByte - fromByte) + end.length,
		open: async () => partOf(await source.open(), part),
	};
}

/** An MP3 file is read twice: only who has counted its frames knows where a third of it is. */
async function cuttableMp3(run: NodeRun, source: Source): Promise<Cuttable | undefined> {
	const frames = new Mp3Frames(false);
	await readUntil(run, source, frames);
	const seconds = frames.seconds();
	if (seconds === undefined) return undefined;
	return {
		seconds,
		cut: async (passage) => {
			const cutter = new PassageCutter([passage]);
			const isDone = () => cutter.isOver;
			await readUntil(run, source, { push: (chunk) => cutter.push(chunk), isDone });
			const [file] = cutter.files();
			// At most ten minutes: 24 MB at the highest bit rate.
			return (
				file && { sizeBytes: file.length, open: async (): Promise<FileBody['content']> => file }
			);
		},
	};
}

/** Shows a reader the content of a file, until it has seen enough. */
async function readUntil(run: NodeRun, source: Source, reader: Reader): Promise<void> {
	const content = await source.open();
	const chunks = Buffer.isBuffer(content) ? chunksOf(content) : (content as AsyncIterable<Buffer>);
	for await (const chunk of chunks) {
		if (run.isStopped) throw stopped(run);
		reader.push(chunk);
		if (reader.isDone?.() === true) break;
	}
}

/** A file in memory in chunks, so that no more of it is looked at than is needed. */
function* chunksOf(content: Buffer): Generator<Buffer, void> {
	for (let at = 0; at < content.length; at += CHUNK_BYTES) {
		yield content.subarray(at, at + CHUNK_BYTES);
	}
}

function stopped(run: NodeRun): Error {
	const failure = { kind: 'stopped', request: 'POST /v2/upload' } as const;
	return toNodeError(run.node, failure, { doing: 'cut out the preview' });
}

function uncuttable(run: NodeRun, itemIndex: number, { fileName }: Source): Error {
	const message = `'${PREVIEW_LABEL}' works for MP3 files and uncompressed WAV files, and '${fileName}' is neither, or is damaged`;
	const advice =
		'Convert the file to MP3 or WAV before this node, or remove the option to edit the whole recording.';
	return fieldError(run, itemIndex, message, advice);
}
