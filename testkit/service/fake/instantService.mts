/**
 * The fake service for the bench commands, as a separate process, so that its memory and CPU do not
 * count. It counts and discards uploads, and generates downloads.
 *
 * Arguments: size of an edited file in bytes, seconds until an edit is finished, and words in its transcript.
 * Sends its parent `{ url }` once it listens, and ends with its parent.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

import { systemTime } from '../../../api/time.ts';
import { longTalk } from '../longTalk.ts';
import { type Answer, listen } from './scriptedService.ts';
import { FakeService } from './fakeService.ts';
import type { Timeline } from './timeline.ts';

/** Begins like an MP3 file, so that our node writes tags into it. */
const FRAME_HEADER = Buffer.from('fffb9000', 'hex');
const FRAME_BYTES = 417;

const CHUNK = randomBytes(256 * 1_024);
for (const frame of [0, 1, 2]) FRAME_HEADER.copy(CHUNK, frame * FRAME_BYTES);

/** Cloud storage signs a link with a session token in about 1,000 characters. */
const SIGNATURE_BYTES = 500;

/** What an edit passes through, in equal parts of its time. */
const STATUSES = 'PENDING PREPROCESSING CLASSIFICATION EDITING POSTPROCESSING EXPORT'.split(' ');

const [resultBytes = 0, editSeconds = 0, words = 0] = process.argv.slice(2).map(Number);
let receivedBytes = 0;

const TEXTS =
	words > 0 ? longTalk(words) : { transcription: null, summarization: null, social_content: [] };

const LIFE: Timeline = [...STATUSES, 'SUCCESS'].map((status, step) => [
	(step / STATUSES.length) * editSeconds,
	status,
]);

const fake = new FakeService(systemTime, {
	lifeOf: () => LIFE,
	// An edit's ID begins with its file size, so a bench can request any size.
	idOf: () => `${resultBytes}-${randomUUID()}`,
	knowsAllIds: true,
	resultOf: (_edit, link) => ({
		video: false,
		filename: 'edited.wav',
		// Each answer signs its link again.
		download_url: `${link}?signature=${randomBytes(SIGNATURE_BYTES).toString('hex')}`,
		statistics: { DEADAIR: 3, BREATH: 12, FILLER_SOUND: 4 },
		...TEXTS,
		merged_audio_url: [],
		timestamps_markers_urls: [],
		waveform_result: [],
	}),
	fileOf: ({ id }) => {
		const [size] = id.split('-');
		const headers = { 'Content-Type': 'audio/wav', 'Content-Length': size };
		return { headers, body: Readable.from(content(Number(size))) };
	},
});

/** Yields generated content of the given size. */
function* content(sizeBytes: number): Generator<Buffer> {
	for (let leftBytes = sizeBytes; leftBytes > 0; leftBytes -= CHUNK.length) {
		yield leftBytes < CHUNK.length ? CHUNK.subarray(0, leftBytes) : CHUNK;
	}
}

async function answer(message: IncomingMessage): Promise<Answer> {
	const { method = '', url: path = '' } = message;
	if (path === '/received') return { body: { receivedBytes } };
	const chunks: Buffer[] = [];
	for await (const chunk of message as AsyncIterable<Buffer>) {
		if (method === 'PUT') receivedBytes += chunk.length;
		else chunks.push(chunk);
	}
	return fake.answer({ method, path, body: Buffer.concat(chunks).toString() });
}

const { url } = await listen(answer);
fake.origin = url;
process.send?.({ url });
process.once('disconnect', () => {
	process.exit();
});
