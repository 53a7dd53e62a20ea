import { sevenBits } from '../mp3Tags.mts';
import type { FileBytes } from './fileBytes.mts';
import { familyAt } from './families.mts';
import type { Chunk, Family, SampleLayout } from './family.mts';

/** No real file has more chunks before or behind its sound. */
const MAX_CHUNKS = 1_000;
const MAX_FORMAT_BYTES = 4_096;

/** Sizes of a 32-bit field that mean: unknown, written as a stream. */
const UNKNOWN_FROM = 0xffff_0000;
const UNKNOWN_SIGNED = { from: 0x7fff_0000, to: 0x8000_0000 };

/** A file of sound in chunks, from its beginning to its first sample. */
export interface SoundFile {
	readonly family: Family;
	/** Where it begins. */
	readonly at: number;
	/** Its chunks before the sound, without what says how long it is. */
	readonly before: readonly Chunk[];
	readonly format: Buffer;
	readonly layout: SampleLayout;
	readonly sound: Chunk;
	readonly samplesAt: number;
	/** Where the samples end, as the file says; undefined if it does not. May be beyond the file. */
	readonly statedEnd: number | undefined;
	/** Whether each chunk before the sound is where readers look for it. */
	readonly isAligned: boolean;
}

/** Returns the chunk at a position; undefined if none begins there. */
export async function chunkAt(
	bytes: FileBytes,
	family: Family,
	from: number,
): Promise<Chunk | undefined> {
	const head = await bytes.at(from, family.chunkHeadBytes);
	if (head.length < family.chunkHeadBytes) return undefined;
	const id = family.idOf(head);
	if (id === '') return undefined;
	const bodyAt = from + family.chunkHeadBytes;
	const size = family.sizeOf(head);
	const bodyBytes = size >= 0 ? size : undefined;
	return { id, from, bodyAt, bodyBytes, to: bodyAt + (bodyBytes ?? 0) };
}

/** Where a chunk that ends at a position is followed by the next, if the file follows the rules. */
export function alignedEnd({ family, at }: Pick<SoundFile, 'family' | 'at'>, end: number): number {
	return at + Math.ceil((end - at) / family.alignment) * family.alignment;
}

/** Returns where the next chunk begins. Some programs write no padding behind a chunk of odd size. */
export async function nextAt(
	bytes: FileBytes,
	file: Pick<SoundFile, 'family' | 'at'>,
	end: number,
): Promise<number> {
	const aligned = alignedEnd(file, end);
	if (aligned === end || (await isKnownAt(bytes, file.family, aligned))) return aligned;
	return (await isKnownAt(bytes, file.family, end)) ? end : Math.min(aligned, bytes.sizeBytes);
}

async function isKnownAt(bytes: FileBytes, family: Family, at: number): Promise<boolean> {
	if ((await familyAt(bytes, at)) !== undefined) return true;
	const chunk = await chunkAt(bytes, family, at);
	return chunk !== undefined && isKnown(family, chunk);
}

/** Whether a chunk is one of those that files of a family have. */
export function isKnown({ formatId, soundId, otherIds }: Family, { id }: Chunk): boolean {
	return id === formatId || id === soundId || otherIds.some((other) => ascii(other) === id);
}

const ascii = (id: Buffer) => id.toString('latin1', 0, 4);

/** Reads the file of sound at a position; undefined if there is none, or none of a kind that is known here. */
export async function readSoundFile(bytes: FileBytes, at: number): Promise<SoundFile | undefined> {
	const family = await familyAt(bytes, at);
	if (family === undefined) return undefined;
	if (family.soundOf) {
		const found = family.soundOf(await bytes.at(at, family.headBytes), at);
		if (found === undefined || found.sound.bodyAt > bytes.sizeBytes) return undefined;
		const samplesAt = found.sound.bodyAt;
		const statedEnd = statedEndOf(family, found.sound);
		return { family, at, before: [], ...found, samplesAt, statedEnd, isAligned: true };
	}
	const before: Chunk[] = [];
	let format: Buffer | undefined;
	let longSizes: Buffer | undefined;
	let isAligned = true;
	for (let from = at + family.headBytes; before.length < MAX_CHUNKS; ) {
		const chunk = await chunkAt(bytes, family, from);
		if (chunk === undefined) return undefined;
		if (chunk.id === family.soundId) {
			const layout = format && family.layoutOf(format);
			if (format === undefined || layout === undefined) return undefined;
			const samplesAt = chunk.bodyAt + family.leadBytes;
			const statedEnd = statedEndOf(family, chunk, longSizes);
			return { family, at, before, format, layout, sound: chunk, samplesAt, statedEnd, isAligned };
		}
		if (chunk.bodyBytes === undefined || chunk.to > bytes.sizeBytes) return undefined;
		const body = async () =>
			await bytes.read(chunk.bodyAt, Math.min(chunk.bodyBytes ?? 0, MAX_FORMAT_BYTES));
		if (chunk.id === family.formatId) format = await body();
		if (chunk.id === 'ds64') longSizes = await body();
		else before.push(chunk);
		from = await nextAt(bytes, { family, at }, chunk.to);
		isAligned &&= from === alignedEnd({ family, at }, chunk.to);
	}
	return undefined;
}

function statedEndOf(family: Family, { bodyAt, bodyBytes = 0 }: Chunk, longSizes?: Buffer) {
	const isLong = longSizes !== undefined && longSizes.length >= 16 && bodyBytes === 0xffff_ffff;
	const size = isLong ? Number(longSizes.readBigUInt64LE(8)) : bodyBytes;
	const isSigned = size >= UNKNOWN_SIGNED.from && size < UNKNOWN_SIGNED.to;
	const isUnknown = !isLong && family.maxBytes < 2 ** 32 && (size >= UNKNOWN_FROM || isSigned);
	return isUnknown || size <= family.leadBytes ? undefined : bodyAt + size;
}

/** What is found behind the sound of a file. */
export interface Behind {
	readonly chunks: readonly Chunk[];
	/** Where the chunks end: at the end of the bytes, or where the next file or a tag begins. */
	readonly end: number;
}

/** Tags that programs append to any file. */
const ID3V1_BYTES = 128;

/** Reads the chunks from a position on; undefined if something else than chunks follows. */
export async function behind(
	bytes: FileBytes,
	file: SoundFile,
	from: number,
): Promise<Behind | undefined> {
	const chunks: Chunk[] = [];
	let at = from;
	for (; chunks.length < MAX_CHUNKS; ) {
		if (at >= bytes.sizeBytes || (await familyAt(bytes, at)) || (await isTagAt(bytes, at))) {
			return { chunks, end: Math.min(at, bytes.sizeBytes) };
		}
		const chunk = await chunkAt(bytes, file.family, at);
		if (chunk?.bodyBytes === undefined || isFileOfOtherKind(chunk)) return undefined;
		const isCut = chunk.to > bytes.sizeBytes;
		if (isCut && !isKnown(file.family, chunk)) return undefined;
		if (!isCut) chunks.push(chunk);
		at = isCut ? bytes.sizeBytes : await nextAt(bytes, file, chunk.to);
	}
	return undefined;
}

/** A video, an instrument and so on. */
function isFileOfOtherKind({ id }: Chunk): boolean {
	return id === 'RIFF' || id === 'FORM';
}

async function isTagAt(bytes: FileBytes, at: number): Promise<boolean> {
	const head = await bytes.at(at, 10);
	const name = head.toString('latin1', 0, 8);
	if (name.startsWith('TAG')) return at === bytes.sizeBytes - ID3V1_BYTES;
	if (name === 'APETAGEX') return true;
	if (!name.startsWith('ID3') || head.length < 10 || head[3] > 4) return false;
	return at + head.length + sevenBits(head.subarray(6)) >= bytes.sizeBytes;
}
