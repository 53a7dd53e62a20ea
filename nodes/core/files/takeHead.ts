import type { ByteStream } from '../../../api/fileBody';

/**
 * Takes the start of a file off its stream; what follows stays there. A buffer is returned whole.
 *
 * @param minBytes how many bytes are needed
 * @param taken what was taken off before
 * @returns at least that many bytes; fewer if the file is shorter
 * @throws the error of the stream
 */
export async function takeHead(
	content: ByteStream | Buffer,
	minBytes: number,
	taken: Buffer = Buffer.alloc(0),
): Promise<Buffer> {
	if (Buffer.isBuffer(content)) return content;
	// If a stream fails while nobody reads it, its error would end n8n's process.
	if (content.listenerCount('error') === 0) content.on('error', () => {});
	const chunks = [taken];
	let bytes = taken.length;
	// The rest of the stream is read by others, so it must not be destroyed.
	for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		bytes += chunk.length;
		if (bytes >= minBytes) break;
	}
	return Buffer.concat(chunks);
}
