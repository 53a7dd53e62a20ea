/** Prints the tags and chapters that music-metadata finds in the file on the standard input, as JSON. */
import { readFileSync } from 'node:fs';

import { parseBuffer } from 'music-metadata';

const file = readFileSync(0);
const { common, format } = await parseBuffer(file, undefined, { includeChapters: true });
const picture = common.picture?.map(({ data, ...rest }) => ({ ...rest, bytes: data.length }));
const chapters = (format.chapters ?? []).map(({ start, title }) => ({ start, title }));
console.log(JSON.stringify({ common: { ...common, picture }, chapters }));
