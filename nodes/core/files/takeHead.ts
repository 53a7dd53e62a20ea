import type { ByteStream } from '../../../api/fileBody';

/**
 * Takes the start of a file off its stream; what follows stays there. A buffer is returned whole.
 *
 * @param neededBytes how many bytes are needed, judging by those read so far
 * @returns at least that many bytes; fewer if the file is shorter
 * @throws the error of the stream
 */
export async function takeHead(
	content: ByteStream | Buffer,
	neededBytes: (head: Buffer) => number,
): Promise<Buffer> {
	if (Buffer.isBuffer(content)) return content;
	// If a stream fails while nobody reads it, its error would end n8n's process.
	content.on('error', () => {});
	let head: Buffer = Buffer.alloc(0);
	let missingBytes = neededBytes(head);
	let chunks: Buffer[] = [];
	// The rest of the stream is read by others, so it must not be destroyed.
	for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		missingBytes -= chunk.length;
		if (missingBytes > 0) continue;
		head = Buffer.concat([head, ...chunks]);
		chunks = [];
		missingBytes = neededBytes(head) - head.length;
		if (missingBytes <= 0) break;
	}
	return Buffer.concat([head, ...chunks]);
}
