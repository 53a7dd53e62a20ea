import { z } from 'zod';

import {
	EDIT_STATUSES,
	editConfigSchema,
	resolveEditConfig,
	uploadTypeSchema,
} from '../shared/contract.mts';

/** Where an edit's media comes from: an upload of this service, or a URL it fetches. */
const editSourceSchema = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('upload'), uploadId: z.string(), name: z.string() }),
	z.object({ kind: z.literal('url'), url: z.string(), name: z.string() }),
]);

/** What a finished edit left in its result folder. */
const editOutcomeSchema = z.object({
	fileName: z.string(),
	statistics: z.record(z.number()),
	markerFileNames: z.array(z.string()),
	/** What `merged_audio_url` offers; rows of an earlier version have none. */
	mergedFileNames: z.array(z.string()).default([]),
	/** What did not come out as asked for; rows of an earlier version have none. */
	notes: z.array(z.string()).default([]),
	durationBeforeSeconds: z.number(),
	durationAfterSeconds: z.number(),
	/** The client's storage URL without its query when `signed_url` was given. */
	deliveredUrl: z.string().nullable(),
});

/** The rest of a job's row, kept as one JSON text because nothing searches in it. */
const storedRequestSchema = z.object({
	kind: z.enum(['edit', 'noise']),
	uploadType: uploadTypeSchema,
	sources: z.array(editSourceSchema).min(1),
	/** Defaults filled in, spec "Configuration (input.config)". */
	config: editConfigSchema.transform((config) => resolveEditConfig(config)),
});

/** A job as the database knows it. Times in milliseconds on the service's clock. */
export const storedEditSchema = z.object({
	id: z.string(),
	/** The hash of the API key the edit belongs to; never the key. */
	ownerId: z.string(),
	status: z.enum(EDIT_STATUSES),
	createdAtMs: z.number(),
	updatedAtMs: z.number(),
	/** When it reached SUCCESS or FAILURE. */
	finishedAtMs: z.number().nullable(),
	templateId: z.number().nullable(),
	request: storedRequestSchema,
	outcome: editOutcomeSchema.nullable(),
	/** For the log and the page; the interface has no field for it. */
	failureReason: z.string().nullable(),
});

/** Where an edit's media comes from. */
export type EditSource = z.infer<typeof editSourceSchema>;
/** What a finished edit left in its result folder. */
export type EditOutcome = z.infer<typeof editOutcomeSchema>;
/** What was asked for. */
export type StoredRequest = z.infer<typeof storedRequestSchema>;
/** An edit. */
export type StoredEdit = z.infer<typeof storedEditSchema>;

/** Names of the files in the result folder that get links. */
export function offeredFileNames({ fileName, ...more }: EditOutcome): string[] {
	return [fileName, ...more.mergedFileNames, ...more.markerFileNames];
}

/** The ids of the uploads an edit reads. */
export function uploadIdsOf(job: Pick<StoredEdit, 'request'>): string[] {
	return job.request.sources.flatMap((source) =>
		source.kind === 'upload' ? [source.uploadId] : [],
	);
}
