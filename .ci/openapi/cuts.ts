/*
 * What is on the wire of a review: the cuts of an edit, and what somebody decides about them.
 */
import { z } from 'zod';

const integer = z.number().int();
const sample = integer.nonnegative();

const Cut = z.object({
	kind: z.enum([
		'filler',
		'hesitation',
		'stutter',
		'long_silence',
		'breath',
		'mouth_sound',
		'added',
	]),
	track: z.null().describe('A cut goes through all tracks'),
	start: sample.describe('The first sample of the cut, in the uncut recording'),
	end: sample.describe('The first sample after the cut'),
	sure: z.number().min(0).max(1).nullable().describe('How sure the detector was; null for people'),
	by: z.string().describe('`engine`, or the name of who made or moved the cut'),
	keep: z.boolean().describe('Whether the sound stays'),
});

/** What GET /local/edits/{edit_id}/cuts answers. */
export const CutsReview = z.object({
	edit_id: z.string(),
	title: z.string(),
	state: z.enum(['waiting', 'approved', 'finished', 'failed']),
	revision: integer.describe('How often somebody decided'),
	review_until: z.string().datetime(),
	approved_by: z.string().nullable(),
	failure_reason: z.string().nullable(),
	mode: z.enum(['cut', 'mute']),
	sample_rate: integer.describe('What the cuts count in'),
	samples: integer.describe('Length of the uncut recording'),
	gain_db: z.number(),
	loudness: z.object({ before_lufs: z.number(), after_lufs: z.number() }).nullable(),
	cuts: z.array(Cut),
	result_url: z.string().nullable(),
});

const DoubtfulCut = z.object({
	kind: Cut.shape.kind,
	start: Cut.shape.start,
	end: Cut.shape.end,
	start_seconds: z.number(),
	end_seconds: z.number(),
	sure: z.number().min(0).max(1).describe('How sure the detector was'),
	doubt: z
		.number()
		.min(0)
		.max(1)
		.describe('Above 0.5, something that was heard speaks against the cut'),
	reason: z
		.enum(['speech', 'changes', 'other_voice', 'not_repeated', 'near_limit'])
		.describe('Why: what was heard, or that the cut only just is what its kind asks for'),
	before_url: z
		.string()
		.describe('An MP3 file of the uncut recording around the cut; needs the key'),
	after_url: z.string().describe('The same passage as it will sound; needs the key'),
});

/** What GET /local/edits/{edit_id}/cuts answers with `doubtful`. */
export const DoubtfulCuts = CutsReview.omit({ cuts: true }).extend({
	cuts_in_all: integer.describe('How many cuts the recording has'),
	doubtful: z.array(DoubtfulCut).describe('The least certain first'),
});

/** What PUT /local/edits/{edit_id}/cuts takes. */
export const CutsDecision = z
	.object({
		revision: sample.describe('The revision that this decision follows'),
		cuts: z
			.array(Cut.partial({ track: true, sure: true, by: true }).strict())
			.max(10_000)
			.optional()
			.describe('All cuts, without overlaps; if left out, they stay as they are'),
		decisions: z
			.array(z.object({ start: sample, end: sample, keep: z.boolean() }).strict())
			.max(10_000)
			.optional()
			.describe('Instead of `cuts`: whether the sound stays, for some of the cuts there are'),
		approve: z.boolean().optional().describe('Whether the edit goes on with these cuts'),
		name: z.string().max(100).optional().describe('Who decides'),
	})
	.strict();
