import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { z } from 'zod';

import type { ServiceContext } from './context.mts';
import { messageOf } from '../shared/failures.mts';
import { safeFileName } from '../shared/fileNames.mts';
import type { StoredUpload } from '../store/uploadStore.mts';
import { SizeLimit, TooLarge } from '../shared/sizeLimit.mts';
import { removeUploadFiles } from '../work/fileRemoval.mts';
import type { StorageTools } from '../work/editTools.mts';
import { HttpProblem } from './protocol/problems.mts';
import { MAX_TEXT_CHARACTERS, refuseOverQuota } from './protocol/limits.mts';
import { validate } from './protocol/validation.mts';

const MINUTE_MS = 60_000;

const UPLOAD_ROUTE = '/uploads/:upload_id/:file_name';

const querySchema = z.object({ filename: z.string().max(MAX_TEXT_CHARACTERS) });

const pathSchema = z.object({ upload_id: z.string() });

/** POST /v2/upload (api.md#upload). */
export function uploadLinkRoutes(routes: FastifyInstance, context: ServiceContext): void {
	const { tools, links, settings } = context;
	routes.post('/v2/upload', async (request) => {
		const fileName = safeFileName(validate(querySchema, request.query, 'query').filename);
		await refuseOverQuota(tools, request.ownerId);
		const id = randomUUID();
		const upload = { id, ownerId: request.ownerId, fileName };
		await tools.uploads.add(upload, tools.clock.moment());
		const lifetimeMs = settings.uploadLinkMinutes * MINUTE_MS;
		const realMs = tools.clock.realMs(lifetimeMs);
		const remoteUrl = await tools.files.uploadUrl({ id, fileName }, realMs);
		if (remoteUrl !== undefined) return { signedUrl: remoteUrl };
		const path = `/uploads/${id}/${encodeURIComponent(fileName)}`;
		return { signedUrl: context.baseUrls[0] + links.sign('PUT', path, lifetimeMs) };
	});
}

/** PUT <signed_url> (api.md#upload): any content type, straight to disk, upload-only. */
export async function uploadFileRoutes(
	routes: FastifyInstance,
	{ tools, links }: ServiceContext,
): Promise<void> {
	const publishing = new PQueue({ concurrency: 1 });
	await routes.register(async (uploads) => {
		// Leaves the body an unread stream, regardless of the content type.
		uploads.removeAllContentTypeParsers();
		uploads.addContentTypeParser('*', (_request, _body, done) => {
			done(null);
		});
		uploads.addHook('onRequest', (request, _reply, done) => {
			// Fastify would refuse an invalid content type; it does not matter here.
			request.raw.headers['content-type'] = 'application/octet-stream';
			done();
		});
		uploads.put(UPLOAD_ROUTE, async (request, reply) => {
			links.check('PUT', request.url, request.query);
			// A part would take the place of the whole file (RFC 9110, 14.5).
			if (request.headers['content-range'] !== undefined) {
				throw new HttpProblem(400, 'Content-Range: send the whole file, not a part of it');
			}
			const { upload_id: uploadId } = pathSchema.parse(request.params);
			const upload = await tools.uploads.find(uploadId);
			if (upload === undefined) throw deleted();
			await receive(request, upload, tools, publishing);
			await reply.code(200).send();
		});
		await Promise.resolve();
	});
}

/**
 * Streams a request's body to disk and keeps it only if it is complete.
 * @param publishing one file after the other, so that its row and its bytes are of the same request.
 */
async function receive(
	request: FastifyRequest,
	upload: StoredUpload,
	tools: StorageTools,
	publishing: PQueue,
) {
	const { id, ownerId } = upload;
	const { quota } = tools;
	const announced = request.headers['content-length'];
	const allowance = await quota.allowance(ownerId, id);
	const incomingPath = tools.scratch.incomingPath();
	const arrival = quota.begin(ownerId, id);
	const limit = new SizeLimit(quota.sizeAllowance, (bytes) => quota.grow(arrival, bytes));
	// The client may leave before anything reads this stream, and an error that nobody hears ends the process.
	limit.on('error', () => undefined);
	finished(request.raw, (error) => {
		if (error) limit.destroy(new HttpProblem(400, 'The upload was interrupted'));
	});
	try {
		if (Number(announced ?? 0) > allowance.bytes) throw new TooLarge(allowance.refusal);
		// Not a part of the pipeline, which would close the connection before a refusal is answered.
		const body = request.raw.pipe(limit);
		await pipeline(body, createWriteStream(incomingPath, { flush: true }));
		if (announced !== undefined && Number(announced) !== limit.receivedBytes) {
			throw new HttpProblem(400, `only ${limit.receivedBytes} of ${announced} bytes arrived`);
		}
		const arrived = { path: incomingPath, bytes: limit.receivedBytes };
		await publishing.add(() => publish(arrived, id, tools));
	} catch (error) {
		await rm(incomingPath, { force: true });
		tools.log(`upload ${id} refused: ${messageOf(error)}`);
		throw error instanceof TooLarge ? new HttpProblem(413, error.message) : error;
	} finally {
		quota.end(arrival);
	}
	tools.log(`upload ${id} ${limit.receivedBytes} bytes`);
}

/**
 * Puts a complete file in the place of its upload. The row comes first: a file that the quota refuses
 * must not replace an earlier one.
 */
async function publish(
	{ path, bytes }: { path: string; bytes: number },
	id: string,
	tools: StorageTools,
): Promise<void> {
	const { uploads, files, quota, clock } = tools;
	const before = await uploads.find(id);
	if (before === undefined) throw deleted();
	// The edit keeps the file, so a replacement would need room for both.
	if (before.storedAtMs !== null && (await uploads.isUsed(id))) {
		throw new HttpProblem(409, 'An edit uses this upload: request another upload link');
	}
	if (!(await uploads.markStoredWithin(quota.bytes, before, bytes, clock.moment()))) {
		if ((await uploads.find(id)) === undefined) throw deleted();
		const leftBytes = await quota.leftBytes(before.ownerId, id);
		throw new HttpProblem(413, quota.refusal('The file', leftBytes));
	}
	try {
		await files.keepUpload(path, before);
	} catch (error) {
		// Once the file was moved, it is in the place of the earlier one, even if the move was not flushed.
		const restored = existsSync(path) ? uploads.restore(before) : Promise.resolve();
		await restored.catch((trouble: unknown) => {
			tools.log(`upload ${id}: its row has the size of a lost file (${messageOf(trouble)})`);
		});
		throw error;
	}
	if ((await uploads.find(id)) !== undefined) return;
	// Deleted meanwhile.
	await removeUploadFiles(id, tools);
	throw deleted();
}

function deleted(): HttpProblem {
	return new HttpProblem(404, 'This upload was deleted');
}
