import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

/** A file on disk and its name in the archive. */
export interface ZipMember {
	path: string;
	name: string;
}

/**
 * Puts files into a ZIP archive as they are: sound and video do not get smaller. Files pass in
 * pieces; beyond 4 GB the archive is a ZIP64 one.
 *
 * @throws the signal's reason when aborted.
 */
export async function writeZip(
	members: readonly ZipMember[],
	outputPath: string,
	signal?: AbortSignal,
): Promise<void> {
	const zip = new ZipFile();
	const written = pipeline(zip.outputStream, createWriteStream(outputPath), { signal });
	// An unreadable file is reported by an event only; without it the archive would wait for ever.
	const unreadable = new Promise<never>((_resolve, reject) => zip.on('error', reject));
	for (const { path, name } of members) zip.addFile(path, name, { compress: false });
	zip.end();
	await Promise.race([written, unreadable]);
}
