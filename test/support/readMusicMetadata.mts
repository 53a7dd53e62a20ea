/** Prints the tags and chapters that music-metadata finds in the file on the standard input, as JSON. */
import { readFileSync } from 'node:fs';

import { parseBuffer } from 'music-metadata';

const file = readFileSync(0);
const { common, format, native } = await parseBuffer(file, undefined, { includeChapters: true });
const picture = common.picture?.map(({ data, ...rest }) => ({ ...rest, bytes: data.length }));
/** The frames or boxes by their own names, such as `TIT2`; the size of a picture in bytes. */
const tags = Object.fromEntries(
	Object.values(native)
		.flat()
		.map(({ id, value }) => [id, sizeOf(value) ?? value]),
);
const chapters = (format.chapters ?? []).map(({ start, title }) => ({ start, title }));
console.log(JSON.stringify({ common: { ...common, picture }, tags, chapters }));

function sizeOf(value: unknown): number | undefined {
	const { data } = Object(value) as { data?: unknown };
	return data instanceof Uint8Array ? data.length : undefined;
}
