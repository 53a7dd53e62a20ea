import { parse } from 'node:path';

import type { FastifyInstance, FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';

import { audacityLabels, editsWithin } from '../engine/export/markers.mts';
import { cutTimeline } from '../engine/export/timelines/cutTimeline.mts';
import { EDL_SOUND_RATE, editDecisionList } from '../engine/export/timelines/editDecisionList.mts';
import { finalCutXml, VIDEO_SOUND_RATE } from '../engine/export/timelines/finalCut.mts';
import { openTimeline } from '../engine/export/timelines/openTimeline.mts';
import { premiereXml } from '../engine/export/timelines/premiere.mts';
import { reaperProject } from '../engine/export/timelines/reaper.mts';
import { attachmentHeader } from '../shared/fileNames.mts';
import type { StoredEdit } from '../store/edit.mts';
import type { ServiceContext } from './context.mts';
import { readOutlines, type Outlines } from './page/outlines.mts';
import { HttpProblem } from './protocol/problems.mts';
import { PRIVATE } from './sendFile.mts';

/** The kinds of timelines, with the ending and the media type of each. */
const KINDS = {
	fcpxml: { ending: '.fcpxml', type: 'application/xml; charset=utf-8' },
	premiere: { ending: '.xml', type: 'application/xml; charset=utf-8' },
	edl: { ending: '.edl', type: 'text/plain; charset=utf-8' },
	reaper: { ending: '.rpp', type: 'text/plain; charset=utf-8' },
	otio: { ending: '.otio', type: 'application/json; charset=utf-8' },
	audacity: { ending: '-labels.txt', type: 'text/plain; charset=utf-8' },
} as const;

type Kind = keyof typeof KINDS;

const pathSchema = z.object({ edit_id: z.string(), kind: z.string() });

/** GET /local/edits/{edit_id}/timelines/{kind}, with the key. */
export function timelineRoutes(
	routes: FastifyInstance,
	{ tools }: ServiceContext,
	onRequest: onRequestAsyncHookHandler,
): void {
	const path = '/local/edits/:edit_id/timelines/:kind';
	routes.get(path, { onRequest }, async (request, reply) => {
		const { edit_id: editId, kind } = pathSchema.parse(request.params);
		const edit = await tools.store.find(editId);
		if (edit?.ownerId !== request.ownerId) throw new HttpProblem(404, 'Edit not found');
		return await sendTimeline(edit, kind, tools, reply);
	});
}

/**
 * Sends the uncut recording with its cuts on a timeline, for an editor. It is written when somebody asks,
 * because a result lists each of its files to every client.
 * @throws HttpProblem (404, 409) if there is none.
 */
export async function sendTimeline(
	{ id: editId, outcome }: StoredEdit,
	kind: string,
	{ files }: ServiceContext['tools'],
	reply: FastifyReply,
): Promise<FastifyReply> {
	if (!isKind(kind)) throw new HttpProblem(404, 'Not Found');
	if (outcome === null) throw new HttpProblem(409, 'The edit has no timeline before SUCCESS');
	const outlines = await readOutlines(files, { editId, run: outcome.run });
	const text = outlines && timelineText(outlines, kind);
	if (text === undefined) throw new HttpProblem(404, 'This file was deleted');
	const { ending, type } = KINDS[kind];
	const fileName = `${parse(outcome.fileName).name}${ending}`;
	reply.header('Content-Disposition', attachmentHeader(fileName));
	return await reply.headers(PRIVATE).type(type).send(text);
}

function isKind(kind: string): kind is Kind {
	return Object.hasOwn(KINDS, kind);
}

/** Returns the file; undefined for an edit of which too little is known. */
function timelineText({ tracks, edits, mode, kit }: Outlines, kind: Kind): string | undefined {
	const files = tracks.flatMap(({ name, media, source }) =>
		media ? [{ name, media, seconds: source.durationSeconds }] : [],
	);
	if (files.length === 0) return undefined;
	const cuts = editsWithin(edits, Math.max(...files.map(({ seconds }) => seconds)));
	if (kind === 'audacity') return audacityLabels(cuts);
	const timeline = (soundRate: string) =>
		cutTimeline({ tracks: files, mode, cuts, kit }, soundRate);
	if (kind === 'fcpxml') return finalCutXml(timeline(VIDEO_SOUND_RATE));
	if (kind === 'premiere') return premiereXml(timeline(VIDEO_SOUND_RATE));
	if (kind === 'edl') return editDecisionList(timeline(EDL_SOUND_RATE));
	const exact = timeline(`${files[0].media.sampleRateHz}/1`);
	return kind === 'otio' ? openTimeline(exact) : reaperProject(exact);
}
