import { parseBuffer } from 'music-metadata';

/** What music-metadata reads of a file. */
interface MusicMetadata {
	common: Record<string, unknown>;
	/** By the names of the file's format, such as `TIT2`. For a picture, its size in bytes. */
	tags: Record<string, unknown>;
	chapters: Array<{ start: number; title: string }>;
}

/** Reads a file with the library music-metadata. */
export async function readWithMusicMetadata(file: Buffer): Promise<MusicMetadata> {
	const read = await parseBuffer(file, undefined, { includeChapters: true });
	const { common, format, native } = read;
	const picture = common.picture?.map(({ data, ...rest }) => ({ ...rest, bytes: data.length }));
	const tags = Object.fromEntries(
		Object.values(native)
			.flat()
			.map(({ id, value }) => [id, sizeOf(value) ?? value]),
	);
	const chapters = (format.chapters ?? []).map(({ start, title }) => ({ start, title }));
	return { common: { ...common, picture }, tags, chapters };
}

function sizeOf(value: unknown): number | undefined {
	const { data } = Object(value) as { data?: unknown };
	return data instanceof Uint8Array ? data.length : undefined;
}
