import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import type { StoredEdit } from '../../store/edit.mts';
import type { FilePlace } from '../../store/files/fileStore.mts';
import { REDIRECT_MS } from '../downloads.mts';
import { HttpProblem } from '../protocol/problems.mts';
import { PRIVATE, sendFile } from '../sendFile.mts';
import { editResultSchema } from '../../shared/contract.mts';
import { TEXTS_FILE_NAME } from '../../text/textsFile.mts';
import { readableTexts } from './textsPage.mts';

/** The part that is the edit's texts. */
const TEXTS = 'texts';

/** Lifetime of the page's links in service milliseconds; the page renews them at half of it. */
export const PLAYER_LINK_MS = 2 * 3_600_000;

const pathSchema = z.object({ edit_id: z.string(), part: z.string() });

/** Returns the names of an edit's playable parts: `edited`, `source-1`, `source-2` … */
function partsOf({ request }: StoredEdit): string[] {
	const sources = request.sources.map((_source, track) => `source-${track + 1}`);
	// A check of words has no sound of its own.
	return request.kind === 'check' ? sources : ['edited', ...sources];
}

/**
 * Returns where a playable part of a finished edit is; undefined if there is no such part. With object
 * storage, sources fetched from a URL are not kept.
 * @param lifetimeMs of a signed URL, in real milliseconds.
 */
async function placeOf(
	edit: StoredEdit,
	part: string,
	lifetimeMs: number,
	{ tools: { files, scratch, uploads } }: ServiceContext,
): Promise<FilePlace | undefined> {
	const { outcome } = edit;
	if (outcome === null) return undefined;
	if (part === 'edited') {
		const run = { editId: edit.id, run: outcome.run };
		return await files.resultPlace(run, outcome.fileName, lifetimeMs);
	}
	const track = Number(/^source-([1-9]\d*)$/.exec(part)?.[1] ?? Infinity) - 1;
	const source = edit.request.sources.at(track);
	if (source === undefined) return undefined;
	if (files.isOnThisDisk) {
		return { path: scratch.sourcePath(edit.id, track, source.name) };
	}
	const upload = source.kind === 'upload' ? await uploads.find(source.uploadId) : undefined;
	return upload?.ownerId === edit.ownerId ? await files.uploadPlace(upload, lifetimeMs) : undefined;
}

/** Returns signed URLs with which the page plays a finished edit, by the name of the part. */
export async function playerLinks(
	edit: StoredEdit,
	context: ServiceContext,
): Promise<Map<string, string>> {
	const { links, tools } = context;
	const realMs = tools.clock.realMs(PLAYER_LINK_MS);
	const found = new Map<string, string>();
	for (const part of partsOf(edit)) {
		const place = await placeOf(edit, part, realMs, context);
		if (place === undefined) continue;
		const own = () => links.sign('GET', `/play/${edit.id}/${part}`, PLAYER_LINK_MS);
		found.set(part, 'url' in place ? place.url : own());
	}
	// The service sends them itself: object storage would offer the JSON for download.
	if (edit.outcome !== null && edit.request.config.transcription) {
		found.set(TEXTS, links.sign('GET', `/play/${edit.id}/${TEXTS}`, PLAYER_LINK_MS));
	}
	return found;
}

/** Returns the texts of a finished edit to read; undefined if it has none. */
async function textsOf(edit: StoredEdit, { tools }: ServiceContext): Promise<string | undefined> {
	if (edit.outcome === null) return undefined;
	const run = { editId: edit.id, run: edit.outcome.run };
	const json = await tools.files.readResult(run, TEXTS_FILE_NAME);
	return json && readableTexts(editResultSchema.parse(JSON.parse(json)));
}

/**
 * GET /play/{edit_id}/{part}: serves sources and results to the page's players, with ranges for
 * seeking, and the texts to read. Accepts only the page's signed URLs. The policy keeps a browser from
 * opening a client's file as anything but media.
 */
export function playerRoutes(routes: FastifyInstance, context: ServiceContext): void {
	routes.get('/play/:edit_id/:part', async (request, reply) => {
		context.links.check('GET', request.url, request.query);
		const { edit_id: editId, part } = pathSchema.parse(request.params);
		const edit = await context.tools.store.find(editId);
		reply.header('Content-Security-Policy', "default-src 'none'; sandbox");
		if (edit && part === TEXTS) {
			const texts = await textsOf(edit, context);
			if (texts === undefined) throw new HttpProblem(404, 'This file was deleted');
			return await reply.headers(PRIVATE).type('text/plain; charset=utf-8').send(texts);
		}
		const place = edit && (await placeOf(edit, part, REDIRECT_MS, context));
		if (place === undefined) throw new HttpProblem(404, 'This file was deleted');
		if ('url' in place) return await reply.redirect(place.url);
		return await sendFile(place.path, request, reply);
	});
}
