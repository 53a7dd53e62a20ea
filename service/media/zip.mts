import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

/**
 * Writes files into a ZIP archive uncompressed, since audio and video do not shrink. Streams the
 * files; an archive over 4 GB becomes ZIP64.
 *
 * @throws the signal's reason when aborted.
 */
export async function writeZip(
	members: ReadonlyArray<{ path: string; name: string }>,
	outputPath: string,
	signal?: AbortSignal,
): Promise<void> {
	const zip = new ZipFile();
	const written = pipeline(zip.outputStream, createWriteStream(outputPath), { signal });
	// An unreadable file only emits an event; without this, the archive would wait forever.
	const unreadable = new Promise<never>((_resolve, reject) => zip.on('error', reject));
	for (const { path, name } of members) zip.addFile(path, name, { compress: false });
	zip.end();
	await Promise.race([written, unreadable]);
}
