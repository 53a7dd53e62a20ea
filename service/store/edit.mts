import { z } from 'zod';

import {
	EDIT_STATUSES,
	editConfigSchema,
	localSettingsSchema,
	type KnownEditStatus,
	resolveEditConfig,
} from '../shared/contract.mts';
import { cutKindSchema } from '../shared/cuts.mts';
import type { FailureKind } from '../shared/failures.mts';
import { kitPlaceSchema } from '../shared/showKit.mts';

/** Where an edit's media comes from: an upload of this service, or a URL it fetches. */
const editSourceSchema = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('upload'), uploadId: z.string(), name: z.string() }),
	z.object({ kind: z.literal('url'), url: z.string(), name: z.string() }),
]);

/** The run of every result in the storage folder, which is also the name of the result's folder. */
export const PUBLISHED_IN_FOLDER = 'result';

/** A cut that took a word, or may have: in seconds of the source, with what was heard there. */
const cutOfWordsSchema = z.object({
	kind: cutKindSchema,
	start: z.number(),
	end: z.number(),
	words: z.array(z.string()),
});

const wordCheckSchema = z.object({
	/** How many cuts were found. */
	cuts: z.number(),
	/** How many of them hold speech, around which the recording was heard again. */
	checked: z.number(),
	/** Those that took a word, and were not made. */
	restored: z.array(cutOfWordsSchema),
	/** Those that may have taken one. */
	doubtful: z.array(cutOfWordsSchema),
});

/** What a finished edit left. */
export const editOutcomeSchema = z.object({
	/** The run whose published files count. */
	run: z.string(),
	fileName: z.string(),
	statistics: z.record(z.number()),
	markerFileNames: z.array(z.string()),
	/** The files in `merged_audio_url`. */
	mergedFileNames: z.array(z.string()),
	/** The files in `audio_for_edl_urls`. */
	uncutFileNames: z.array(z.string()).default([]),
	/** How the result differs from the request. */
	notes: z.array(z.string()),
	/** What leveling changed in the only track, LUFS; null if nothing was leveled. */
	loudness: z.object({ beforeLufs: z.number(), afterLufs: z.number() }).nullable().default(null),
	durationBeforeSeconds: z.number(),
	durationAfterSeconds: z.number(),
	/** By how much shorter long silences made it. */
	silencesSavedSeconds: z.number().default(0),
	/** By how much noise was lowered where it was lowered most, dB; 0 if none was. */
	noiseLoweredDb: z.number().default(0),
	/** What a check of its cuts by words found; null if nothing was checked. */
	wordCheck: wordCheckSchema.nullable().default(null),
	/** The client's storage URL without its query; null without `signed_url`. */
	deliveredUrl: z.string().nullable(),
});

/** What the service knows of the review of an edit, besides its cuts. */
export const reviewSchema = z.object({
	/** The draft, which becomes the result if nothing of it changes. */
	draft: editOutcomeSchema,
	/** Where the uncut sound and the sources are kept, and how much that is. */
	keptRun: z.string(),
	keptBytes: z.number(),
	/** When its review began, and when it ends. */
	beganAtMs: z.number(),
	untilMs: z.number(),
	/** Null after a review that nobody attended to. */
	approvedBy: z.string().nullable(),
	/** Null until the cuts are approved. */
	approvedAtMs: z.number().nullable(),
});

/** Why an edit fails, and the status in which it did. */
export interface Failure {
	readonly reason: string;
	readonly kind: FailureKind;
	readonly failedIn: KnownEditStatus;
	/** Whether its files stay, and count against the quota. */
	readonly keepsFiles?: boolean;
}

/** The request, stored as one JSON text because nothing searches in it. */
const storedRequestSchema = z.object({
	/** A check compares its second source, which somebody edited, with its first. */
	kind: z.enum(['edit', 'noise', 'check']),
	sources: z.array(editSourceSchema).min(1),
	/** With defaults filled in (api.md#configuration). */
	config: editConfigSchema.transform((config) => resolveEditConfig(config)),
	/** What only this service has: of the request, else of its template. */
	local: localSettingsSchema.default({}),
	/** What is heard before the recording, after it and within it. */
	kit: z.array(z.object({ source: editSourceSchema, place: kitPlaceSchema })).default([]),
	/** What of the request has no effect. */
	notes: z.array(z.string()),
	/** How long its cuts wait for somebody to approve them; null if nobody reviews them. */
	review: z
		.object({ hours: z.number(), ends: z.enum(['approve', 'fail']) })
		.nullable()
		.default(null),
	/** The finished edit whose cuts this one changes. */
	changes: z.string().nullable().default(null),
});

/** An edit as stored in the database. Times in milliseconds on the service's clock. */
export const storedEditSchema = z.object({
	id: z.string(),
	/** The hash of the edit's API key, never the key. */
	ownerId: z.string(),
	status: z.enum(EDIT_STATUSES),
	createdAtMs: z.number(),
	updatedAtMs: z.number(),
	/** When it reached SUCCESS or FAILURE. */
	finishedAtMs: z.number().nullable(),
	templateId: z.number().nullable(),
	request: storedRequestSchema,
	outcome: editOutcomeSchema.nullable(),
	/** Null until it has waited for its review. */
	review: reviewSchema.nullable(),
	/** The age of the storage until which it waits for somebody to approve its cuts; null while it does not. */
	reviewUntilAgeMs: z.number().nullable(),
	/** How much of its speech is recognized; null while nothing is being recognized. */
	recognizedPercent: z.number().nullable(),
	/** For the log and the page; the API has no field for it. */
	failureReason: z.string().nullable(),
});

/** Where an edit's media comes from. */
export type EditSource = z.infer<typeof editSourceSchema>;
/** What a finished edit left. */
export type EditOutcome = z.infer<typeof editOutcomeSchema>;
/** What a check of the cuts of an edit by words found. */
export type WordCheck = z.infer<typeof wordCheckSchema>;
/** What the service knows of the review of an edit. */
export type Review = z.infer<typeof reviewSchema>;
/** What the client requested. */
export type StoredRequest = z.infer<typeof storedRequestSchema>;
/** An edit as stored in the database. */
export type StoredEdit = z.infer<typeof storedEditSchema>;

/** Whether an edit waits for somebody to approve its cuts. */
export function waitsForReview({ finishedAtMs, reviewUntilAgeMs }: StoredEdit): boolean {
	return finishedAtMs === null && reviewUntilAgeMs !== null;
}

/** Returns the names of the result files that clients may download. */
export function offeredFileNames({ fileName, ...more }: EditOutcome): string[] {
	return [fileName, ...more.mergedFileNames, ...more.uncutFileNames, ...more.markerFileNames];
}

/** Returns all that an edit reads: its recording, and then the files of its show. */
export function sourcesOf({ request }: Pick<StoredEdit, 'request'>): EditSource[] {
	return [...request.sources, ...request.kit.map(({ source }) => source)];
}

/** Returns the ids of the uploads that an edit reads. */
export function uploadIdsOf(edit: Pick<StoredEdit, 'request'>): string[] {
	return sourcesOf(edit).flatMap((source) => (source.kind === 'upload' ? [source.uploadId] : []));
}
