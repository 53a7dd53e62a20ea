import type { FileBytes, Piece } from './fileBytes.mts';
import { sectionOf, type Section } from './section.mts';
import { readSoundFile, type SoundFile } from './soundFile.mts';
import { cafHead } from './appleFamilies.mts';
import { longHead } from './waveFamilies.mts';

/** Files in one, as `cat` joins them. */
export const MAX_FILES = 1_000;

/** Room for all chunks but the sound where sizes have 32 bits. */
const MAX_OTHER_BYTES = 16_777_216;

/** What is said of a second recording that is not like the first. */
export const ANOTHER =
	'the file holds another recording behind the first, which was left out: upload it as a file of its own';

/** What is wrong with the sizes of a file. */
interface Findings {
	readonly first: SoundFile;
	readonly sections: readonly Section[];
	readonly notes: readonly string[];
	readonly isRight: boolean;
}

/** What a file holds, and how its bytes have to be put together; undefined if they are right. */
export interface Mending {
	readonly pieces?: readonly Piece[] | undefined;
	/** What was left out, for the client. */
	readonly notes: readonly string[];
}

/** Looks for the true ends of uncompressed sound; undefined for other files. */
export async function mendingOfSound(
	bytes: FileBytes,
	signal?: AbortSignal,
): Promise<Mending | undefined> {
	const findings = await find(bytes, signal);
	if (findings === undefined) return undefined;
	const { notes, isRight } = findings;
	return { notes, pieces: isRight ? undefined : await piecesOf(bytes, findings) };
}

async function find(bytes: FileBytes, signal?: AbortSignal): Promise<Findings | undefined> {
	const first = await readSoundFile(bytes, 0);
	if (first === undefined) return undefined;
	const sections = [await sectionOf(bytes, first, signal)];
	const notes = [...sections[0].notes];
	let { end } = sections[0];
	while (end < bytes.sizeBytes) {
		signal?.throwIfAborted();
		const file = await readSoundFile(bytes, end);
		if (file === undefined || !isAlike(first, file) || sections.length === MAX_FILES) {
			if (file !== undefined) notes.push(ANOTHER);
			break;
		}
		const section = await sectionOf(bytes, file, signal);
		sections.push(section);
		notes.push(...section.notes);
		({ end } = section);
	}
	const isRight = sections.length === 1 && sections[0].isAsStated && (await isFound(bytes, first));
	return { first, sections, notes, isRight };
}

/** Whether the samples of two files can be joined. */
function isAlike(one: SoundFile, other: SoundFile): boolean {
	const formats = [one, other].map(({ family, format }) => family.formatOnly(format));
	const isSameOrder = one.layout.isBigEndian === other.layout.isBigEndian;
	return (
		one.family.soundId === other.family.soundId && isSameOrder && formats[0].equals(formats[1])
	);
}

/** Whether a reader finds the sound where a file has it. */
async function isFound(bytes: FileBytes, { family, at, isAligned, statedEnd = 0 }: SoundFile) {
	if (!family.endsAsStated) return isAligned;
	const head = await bytes.at(at, family.headBytes);
	return isAligned && at + 8 + family.sizeOf(head) >= Math.min(statedEnd, bytes.sizeBytes);
}

/** The pieces of the mended file: those of the old one, with new sizes. */
async function piecesOf(bytes: FileBytes, { first, sections }: Findings): Promise<Piece[]> {
	const { family, at, before, sound, layout } = first;
	const { frameBytes } = layout;
	const samples = sections.map(({ samples: { from, to } }, index) => {
		// The samples of the next file must begin with a whole one.
		const isLast = index === sections.length - 1;
		return { from, to: isLast ? to : to - ((to - from) % frameBytes) };
	});
	const sampleBytes = samples.reduce((sum, { from, to }) => sum + to - from, 0);
	const soundBytes = family.leadBytes + sampleBytes;
	const isLong = soundBytes > family.maxBytes - MAX_OTHER_BYTES;
	const caf = isLong && family.isLongAsCaf === true ? cafHead(layout, sampleBytes) : undefined;
	if (caf !== undefined) return [caf, ...samples];
	const chunks: Piece[] = [];
	for (const chunk of before) {
		const body = await family.bodyFor?.(bytes, chunk, sampleBytes / frameBytes);
		chunks.push(
			{ from: chunk.from, to: chunk.bodyAt },
			body ?? { from: chunk.bodyAt, to: chunk.to },
		);
		chunks.push(padding(family.alignment, chunk.to - chunk.from));
	}
	const head = await bytes.read(sound.from, sound.bodyAt - sound.from);
	chunks.push(family.withSize(head, isLong ? family.maxBytes : soundBytes));
	chunks.push({ from: sound.bodyAt, to: sound.bodyAt + family.leadBytes });
	chunks.push(...samples, padding(family.alignment, family.chunkHeadBytes + soundBytes));
	for (const chunk of sections[0].after) {
		chunks.push({ from: chunk.from, to: chunk.to });
		chunks.push(padding(family.alignment, chunk.to - chunk.from));
	}
	const chunkBytes = chunks.reduce((sum, piece) => sum + lengthOf(piece), 0);
	// The sizes of the longer head are little-endian, and so must be all others.
	if (isLong && family.formatId === 'fmt ' && !layout.isBigEndian)
		return [longHead(chunkBytes, sampleBytes), ...chunks];
	return [await family.head(bytes, at, chunkBytes), ...chunks];
}

function padding(alignment: number, chunkBytes: number): Buffer {
	return Buffer.alloc((alignment - (chunkBytes % alignment)) % alignment);
}

function lengthOf(piece: Piece): number {
	return 'from' in piece ? piece.to - piece.from : piece.length;
}
