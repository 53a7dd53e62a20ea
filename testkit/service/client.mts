import assert from 'node:assert/strict';

import {
	editCreationSchema,
	isFinalStatus,
	uploadSchema,
	type Edit,
	type EditConfig,
	type EditRequest,
	type EditResult,
	type LocalSettings,
} from '../../service/shared/contract.mts';
import { faithful, faithfulEdit } from './faithful.mts';
import { eventually } from '../time/eventually.mts';

/** A completely read response. */
export type Answer = Awaited<ReturnType<typeof send>>;

/** Body and headers of a request. Strings and Buffers are sent unchanged, other bodies as JSON. */
interface RequestOptions {
	body?: unknown;
	headers?: Record<string, string>;
}

function isRaw(body: unknown): body is string | Buffer<ArrayBuffer> | undefined {
	return body === undefined || typeof body === 'string' || body instanceof Buffer;
}

/** Sends a request without a key. Does not follow redirects. */
export async function send(
	method: string,
	url: string,
	{ body, headers = {} }: RequestOptions = {},
) {
	const response = await fetch(url, {
		method,
		headers: isRaw(body) ? headers : { ...jsonType, ...headers },
		redirect: 'manual',
		body: isRaw(body) ? body : JSON.stringify(body),
	});
	const bytes = Buffer.from(await response.arrayBuffer());
	const text = bytes.toString('utf8');
	const contentType = response.headers.get('content-type') ?? '';
	/** The parsed body; undefined unless it is JSON. */
	const json: unknown = contentType.startsWith('application/json') ? JSON.parse(text) : undefined;
	return { status: response.status, contentType, headers: response.headers, bytes, text, json };
}

const jsonType = { 'Content-Type': 'application/json' };

/** A user of the service with an API key. */
export class Client {
	constructor(
		readonly url: string,
		readonly key: string,
	) {}

	async call(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
		const headers = { 'X-API-Key': this.key, ...options.headers };
		return await send(method, this.url + path, { ...options, headers });
	}

	async uploadLink(fileName: string): Promise<string> {
		const answer = await this.call('POST', `/v2/upload?filename=${encodeURIComponent(fileName)}`);
		assert.equal(answer.status, 200, answer.text);
		return faithful(uploadSchema, answer.json).signedUrl;
	}

	async upload(bytes: Buffer, fileName = 'recording.wav'): Promise<string> {
		const link = await this.uploadLink(fileName);
		const answer = await send('PUT', link, {
			body: bytes,
			headers: { 'Content-Type': 'audio/wav' },
		});
		assert.equal(answer.status, 200, answer.text);
		assert.equal(answer.bytes.length, 0);
		return fileUrlOf(link);
	}

	async create(input: EditRequest['input'], path = '/v2/edits'): Promise<string> {
		const answer = await this.call('POST', path, { body: { input } });
		assert.equal(answer.status, 200, answer.text);
		return faithful(editCreationSchema, answer.json).id;
	}

	async edit(id: string): Promise<Edit> {
		const answer = await this.call('GET', `/v2/edits/${id}`);
		assert.equal(answer.status, 200, answer.text);
		return faithfulEdit(answer.json);
	}

	async ended(id: string): Promise<Edit> {
		return await eventually(`edit ${id} is over`, async () => {
			const edit = await this.edit(id);
			return isFinalStatus(edit.status) ? edit : undefined;
		});
	}

	/** Uploads several files, edits them as tracks of one recording and waits for the end. */
	async runTracks(
		tracks: Readonly<Record<string, Buffer>>,
		config: EditConfig,
		local?: LocalSettings,
	): Promise<Edit> {
		const files: string[] = [];
		for (const [name, bytes] of Object.entries(tracks)) files.push(await this.upload(bytes, name));
		return await this.ended(await this.create({ files, config, local, upload_type: 'multitrack' }));
	}

	async run(
		bytes: Buffer,
		config: EditConfig | null,
		fileName?: string,
		local?: LocalSettings,
	): Promise<Edit> {
		const files = [await this.upload(bytes, fileName)];
		return await this.ended(await this.create({ files, config, local }));
	}

	/** Uploads and edits a file, asserts SUCCESS and returns the result with the edited file. */
	async finish(bytes: Buffer, config: EditConfig | null, fileName?: string) {
		return await finishedFile(await this.run(bytes, config, fileName));
	}
}

/** Returns the file URL of an upload link: the link without its query. */
export function fileUrlOf(uploadLink: string): string {
	return uploadLink.slice(0, uploadLink.indexOf('?'));
}

/** Asserts SUCCESS and returns the result of an edit. */
export function resultOf(edit: Edit): EditResult {
	assert.equal(edit.status, 'SUCCESS');
	assert.ok(edit.result, 'SUCCESS without result');
	return edit.result;
}

/** Asserts SUCCESS, downloads the edited file and returns it with the result. */
export async function finishedFile(edit: Edit) {
	const result = resultOf(edit);
	const answer = await send('GET', result.download_url ?? '');
	assert.equal(answer.status, 200, answer.text);
	return { id: edit.task_id, result, answer, file: answer.bytes };
}
