import type { ByteRange, FileBytes } from './fileBytes.mts';
import { familyAt } from './families.mts';
import type { Chunk } from './family.mts';
import { isNoSound } from './isNoSound.mts';
import { behind, nextAt, readSoundFile, type SoundFile } from './soundFile.mts';

/** Chunks behind the sound are searched for in these last bytes, and so often each kind of them. */
const MAX_BEHIND_BYTES = 16_777_216;
const MAX_CANDIDATES = 1_000;

/** Less than this behind the sound is no loss. */
const MIN_REST_SECONDS = 0.01;
const MIN_SILENCE_SECONDS = 1;

/** The sound of a file, and what is behind it. */
export interface Section {
	readonly samples: ByteRange;
	readonly after: readonly Chunk[];
	/** Where the next file begins, or the end of all bytes. */
	readonly end: number;
	/** Whether a reader that believes the header finds just this. */
	readonly isAsStated: boolean;
	/** What was left out. */
	readonly notes: readonly string[];
}

/** Decides where the sound of a file really ends. */
export async function sectionOf(
	bytes: FileBytes,
	file: SoundFile,
	signal?: AbortSignal,
): Promise<Section> {
	const { samplesAt, statedEnd = Infinity } = file;
	if (statedEnd <= bytes.sizeBytes) {
		const next = await nextAt(bytes, file, statedEnd);
		const found = await behind(bytes, file, next);
		if (found !== undefined) {
			const isAsStated = next % file.family.alignment === file.at % file.family.alignment;
			const samples = { from: samplesAt, to: statedEnd };
			return {
				samples,
				after: found.chunks,
				end: found.end,
				isAsStated: isAsStated || next === bytes.sizeBytes,
				notes: [],
			};
		}
	}
	const isTooSmall = statedEnd <= bytes.sizeBytes;
	const from = isTooSmall ? statedEnd : samplesAt;
	const nextFile = await nextFileAt(bytes, from, signal);
	const to = await soundEnd(bytes, file, { from, to: nextFile });
	const after = (await behind(bytes, file, to))?.chunks ?? [];
	const rest = isTooSmall ? await restOf(bytes, file, { from, to }) : { isSound: true, notes: [] };
	const isRead = file.statedEnd !== undefined || file.family.readsUnknown === true;
	const isAsStated = isTooSmall ? !rest.isSound : isRead && to === bytes.sizeBytes;
	const samples = { from: samplesAt, to: rest.isSound ? to : from };
	return { samples, after, end: nextFile, isAsStated, notes: rest.notes };
}

/** Returns where the next file begins; the end of all bytes if there is none. */
async function nextFileAt(bytes: FileBytes, from: number, signal?: AbortSignal): Promise<number> {
	const first = await familyAt(bytes, 0);
	if (first === undefined) return bytes.sizeBytes;
	for await (const at of bytes.places(first.beginning, { from, to: bytes.sizeBytes }, signal)) {
		if ((await readSoundFile(bytes, at)) !== undefined) return at;
	}
	return bytes.sizeBytes;
}

/** Returns where samples end in a range: before the chunks and tags at its end. */
async function soundEnd(bytes: FileBytes, file: SoundFile, range: ByteRange): Promise<number> {
	const { family } = file;
	const { otherIds, chunkHeadBytes, alignment } = family;
	const start = Math.max(range.from, range.to - MAX_BEHIND_BYTES);
	const last = await bytes.read(start, range.to - start);
	const ends = new Set([last.length]);
	if (last.toString('latin1', last.length - 128, last.length - 125) === 'TAG') {
		ends.add(last.length - 128);
	}
	const candidates = otherIds.flatMap((id) => placesOf(id, last));
	let earliest = Math.min(...ends);
	for (const at of candidates.sort((one, other) => other - one)) {
		const head = last.subarray(at, at + chunkHeadBytes);
		if (head.length < chunkHeadBytes) continue;
		const end = at + chunkHeadBytes + family.sizeOf(head);
		const padded = Math.ceil((start + end - file.at) / alignment) * alignment + file.at - start;
		if (!ends.has(end) && !ends.has(padded) && padded !== last.length + 1) continue;
		ends.add(at);
		earliest = Math.min(earliest, at);
	}
	return start + earliest;
}

/** Returns the last places of an id. */
function placesOf(id: Buffer, bytes: Buffer): number[] {
	const places: number[] = [];
	let at = bytes.lastIndexOf(id);
	while (at >= 0 && places.length < MAX_CANDIDATES) {
		places.push(at);
		at = at === 0 ? -1 : bytes.lastIndexOf(id, at - 1);
	}
	return places;
}

/** Whether what a file has behind its stated end is sound, and a note if it is not. */
async function restOf(bytes: FileBytes, file: SoundFile, rest: ByteRange) {
	const { bytesPerSecond } = file.layout;
	const count = rest.to - rest.from;
	const seconds = count / bytesPerSecond;
	if (seconds < MIN_REST_SECONDS) return { isSound: false, notes: [] };
	if (await bytes.areZero(rest)) {
		const note = `the file ends with ${seconds.toFixed(1)} s of digital silence that its header does not count: they were left out`;
		return { isSound: false, notes: seconds < MIN_SILENCE_SECONDS ? [] : [note] };
	}
	if (await isNoSound(bytes, file, rest)) {
		const note = `the file has ${count} bytes behind its sound that are no sound: they were left out`;
		return { isSound: false, notes: [note] };
	}
	return { isSound: true, notes: [] };
}
