import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { HttpProblem } from '../protocol/problems.mts';
import { validate } from '../protocol/validation.mts';
import { clipFile } from '../../engine/review/clip.mts';
import { planAfter, planBefore } from '../../engine/review/clipPlaces.mts';
import { MAX_DOUBTFUL_CUTS } from '../../shared/contract.mts';
import { leastCertain, type DoubtfulCut } from '../../engine/review/doubt/leastCertain.mts';
import { placeOf } from './decisionBody.mts';
import { shortState, type ReadReview } from './reviewState.mts';
import { withKeptFiles } from './sound.mts';

const querySchema = z.object({
	doubtful: z
		.string()
		.regex(/^\d{1,3}$/, `It must be a whole number from 1 to ${MAX_DOUBTFUL_CUTS}`)
		.transform(Number)
		.pipe(z.number().min(1).max(MAX_DOUBTFUL_CUTS))
		.optional(),
});

/** The clips of a cut: as the recording was, and as it will be. */
type Clip = 'before' | 'after';

const clipSchema = z.object({
	place: z.string(),
	clip: z.enum(['before.mp3', 'after.mp3']),
});

/** Reads how many of the least certain cuts somebody wants; undefined: all cuts. @throws ValidationProblem */
export function readDoubtful(query: unknown): number | undefined {
	return validate(querySchema, query, 'query').doubtful;
}

/** Returns the state of a review with its least certain cuts instead of all. */
export async function doubtfulState(read: ReadReview, most: number, context: ServiceContext) {
	const { cuts, ...state } = await shortState(read, context);
	const { edit, kept, decisions } = read;
	const path = `${context.baseUrls[0]}/local/edits/${encodeURIComponent(edit.id)}/cuts`;
	const clipUrl = (cut: DoubtfulCut, clip: Clip) => `${path}/${placeOf(cut)}/${clip}.mp3`;
	const { sampleRateHz } = kept;
	return {
		...state,
		cuts_in_all: cuts.length,
		doubtful: leastCertain(decisions.cuts, kept.doubts, most).map((cut) => ({
			kind: cut.kind,
			start: cut.start,
			end: cut.end,
			start_seconds: cut.start / sampleRateHz,
			end_seconds: cut.end / sampleRateHz,
			sure: cut.sure,
			doubt: cut.doubt,
			reason: cut.reason,
			before_url: clipUrl(cut, 'before'),
			after_url: clipUrl(cut, 'after'),
		})),
	};
}

/**
 * Returns a clip of a cut.
 * @throws HttpProblem (404) if there is no such cut, or the recording was deleted.
 */
export async function clipOfCut(
	read: ReadReview,
	params: unknown,
	context: ServiceContext,
	signal: AbortSignal,
): Promise<Buffer> {
	const { data: wanted } = clipSchema.safeParse(params);
	const { cuts } = read.decisions;
	const cut = cuts.find((one) => placeOf(one) === wanted?.place);
	if (wanted === undefined || cut === undefined) throw new HttpProblem(404, 'There is no such cut');
	const made = cuts.filter(({ keep }) => !keep);
	const plan =
		wanted.clip === 'before.mp3' ? planBefore(cut, read.kept) : planAfter(cut, made, read.kept);
	return await withKeptFiles(read, context, signal, async (files) => {
		return await clipFile(read.kept, plan, files, signal);
	});
}
