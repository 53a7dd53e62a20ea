/**
 * The other side of the bench commands, as a process of its own, so that neither its memory nor its CPU
 * is counted. It speaks the interface's parts that move files, has nothing to do, and finishes every
 * edit at once: what it is sent it counts and forgets, what it gives out it makes up.
 *
 * Argument: the size of an edited file in bytes. Tells its parent `{ url }` when it listens, and ends
 * with its parent.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const CHUNK = randomBytes(256 * 1_024);

const resultBytes = Number(process.argv[2]);
let edits = 0;
let receivedBytes = 0;

/** As much made-up content as wished for. */
function* content(sizeBytes: number): Generator<Buffer> {
	for (let leftBytes = sizeBytes; leftBytes > 0; leftBytes -= CHUNK.length) {
		yield leftBytes < CHUNK.length ? CHUNK.subarray(0, leftBytes) : CHUNK;
	}
}

async function countBody(message: IncomingMessage): Promise<number> {
	let bytes = 0;
	message.on('data', (chunk: Buffer) => {
		bytes += chunk.length;
	});
	await once(message, 'end');
	return bytes;
}

function finishedEdit(id: string, origin: string) {
	return {
		task_id: id,
		status: 'SUCCESS',
		result: {
			video: false,
			filename: 'edited.wav',
			// An edit's id begins with the size of its file, so that a bench can ask for any size.
			download_url: `${origin}/download/${id.split('-')[0]}?signature=x`,
			statistics: { DEADAIR: 3, BREATH: 12, FILLER_SOUND: 4 },
			transcription: null,
			summarization: null,
			social_content: [],
			merged_audio_url: [],
			timestamps_markers_urls: [],
			waveform_result: [],
		},
	};
}

function give(response: ServerResponse, body: unknown): void {
	response.setHeader('Content-Type', 'application/json');
	response.end(JSON.stringify(body));
}

async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
	const origin = `http://${message.headers.host ?? ''}`;
	const { pathname, searchParams } = new URL(message.url ?? '/', origin);
	const id = pathname.split('/').at(-1) ?? '';
	const bytes = await countBody(message);
	const route = `${message.method ?? ''} ${pathname.replace(/[^/]+$/, '')}`;
	switch (route) {
		case 'PUT /files/':
			receivedBytes += bytes;
			response.end();
			return;
		case 'GET /v2/edits/':
			give(response, finishedEdit(id, origin));
			return;
		case 'DELETE /v2/edits/':
			give(response, {});
			return;
		case 'GET /download/':
			response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': id });
			await pipeline(Readable.from(content(Number(id))), response);
			return;
	}
	switch (pathname) {
		case '/v2/upload': {
			const name = encodeURIComponent(searchParams.get('filename') ?? '');
			give(response, { signedUrl: `${origin}/files/${name}?signature=x` });
			return;
		}
		case '/v2/edits':
			edits += 1;
			give(response, { id: `${resultBytes}-${edits}` });
			return;
		case '/received':
			give(response, { receivedBytes });
			return;
	}
	response.writeHead(404).end();
}

const server = createServer((message, response) => {
	answer(message, response).catch(() => {
		response.destroy();
	});
});
server.listen(0, '127.0.0.1', () => {
	const { port } = server.address() as AddressInfo;
	process.send?.({ url: `http://127.0.0.1:${port}` });
});
process.once('disconnect', () => {
	process.exit();
});
