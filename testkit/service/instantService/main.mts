/**
 * The service for the bench commands, as a separate process, so that its memory and CPU do not
 * count. It implements the API calls that move files, without work on them: it counts and discards
 * uploads, passes edits through their statuses, and generates downloads.
 *
 * Arguments: size of an edited file in bytes, and seconds until an edit is finished. Sends its
 * parent `{ url }` once it listens, and ends with its parent.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Begins like an MP3 file, so that our node writes tags into it. */
const FRAME_HEADER = Buffer.from('fffb9000', 'hex');
const FRAME_BYTES = 417;

const CHUNK = randomBytes(256 * 1_024);
for (const frame of [0, 1, 2]) FRAME_HEADER.copy(CHUNK, frame * FRAME_BYTES);

/** Cloud storage signs a link with a session token in about 1,000 characters. */
const SIGNATURE_BYTES = 500;

/** What an edit passes through, in equal parts of its time. */
const STATUSES = 'PENDING PREPROCESSING CLASSIFICATION EDITING POSTPROCESSING EXPORT'.split(' ');

const [resultBytes = 0, editSeconds = 0] = process.argv.slice(2).map(Number);
/** When each edit was submitted, by its ID. */
const submittedAtMs = new Map<string, number>();
let receivedBytes = 0;

/** Yields generated content of the given size. */
function* content(sizeBytes: number): Generator<Buffer> {
	for (let leftBytes = sizeBytes; leftBytes > 0; leftBytes -= CHUNK.length) {
		yield leftBytes < CHUNK.length ? CHUNK.subarray(0, leftBytes) : CHUNK;
	}
}

function editNow(id: string, origin: string): object {
	const ageSeconds = (Date.now() - (submittedAtMs.get(id) ?? 0)) / 1_000;
	const step = Math.floor((ageSeconds / editSeconds) * STATUSES.length);
	return step < STATUSES.length
		? { task_id: id, status: STATUSES[step] }
		: finishedEdit(id, origin);
}

function finishedEdit(id: string, origin: string): object {
	// Each answer signs its link again.
	const signature = randomBytes(SIGNATURE_BYTES).toString('hex');
	return {
		task_id: id,
		status: 'SUCCESS',
		result: {
			video: false,
			filename: 'edited.wav',
			// An edit's ID begins with its file size, so a bench can request any size.
			download_url: `${origin}/download/${id.split('-')[0]}?signature=${signature}`,
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

/** Returns the body of a JSON response; undefined for an unknown request. */
function bodyFor(route: string, id: string, { origin, searchParams }: URL): object | undefined {
	switch (route) {
		case 'PUT /files/':
		case 'DELETE /v2/edits/':
			return {};
		case 'GET /v2/edits/':
			return editNow(id, origin);
		case 'GET /received':
			return { receivedBytes };
		case 'POST /v2/upload': {
			const name = encodeURIComponent(searchParams.get('filename') ?? '');
			return { signedUrl: `${origin}/files/${name}?signature=x` };
		}
		case 'POST /v2/edits': {
			const created = `${resultBytes}-${randomUUID()}`;
			submittedAtMs.set(created, Date.now());
			return { id: created };
		}
		default:
			return undefined;
	}
}

async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
	const url = new URL(message.url ?? '/', `http://${message.headers.host ?? ''}`);
	const id = url.pathname.split('/').at(-1) ?? '';
	const path = url.pathname.replace(/^\/(files|download|v2\/edits)\/[^/]+$/, '/$1/');
	const route = `${message.method ?? ''} ${path}`;
	for await (const chunk of message as AsyncIterable<Buffer>) {
		if (route === 'PUT /files/') receivedBytes += chunk.length;
	}
	if (route === 'GET /download/') {
		response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': id });
		await pipeline(Readable.from(content(Number(id))), response);
		return;
	}
	const body = bodyFor(route, id, url);
	response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' });
	response.end(JSON.stringify(body));
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
