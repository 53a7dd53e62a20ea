import { rm } from 'node:fs/promises';

import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { HttpProblem, ValidationProblem } from '../protocol/problems.mts';
import { validate } from '../protocol/validation.mts';
import type { ClipFiles } from '../../engine/review/clip.mts';
import type { CutScale } from '../../engine/review/cutEdits.mts';
import type { KeptRecording } from '../../engine/review/keptSchema.mts';
import { stretchOf, type Stretch } from '../../engine/review/stretch.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import type { ReadReview } from './reviewState.mts';

/** What one request may listen to. */
const MAX_SECONDS = 60;
/** The uncut sound that is read for it, so that the join of a pause of nearly two minutes can be heard. */
const MAX_UNCUT_SECONDS = 120;
/** More are not audible in that time. */
const MAX_CUTS = 1_000;

const sample = z.number().int().min(0);
const bodySchema = z
	.object({
		from: sample,
		to: sample,
		cuts: z
			.array(z.object({ start: sample, end: sample }))
			.max(MAX_CUTS)
			.default([]),
	})
	.strict();

/** Reads which stretch somebody wants to hear. @throws ValidationProblem that names the field. */
export function readStretch(
	value: unknown,
	{ mode, sampleRateHz, samples }: Pick<KeptRecording, 'mode' | keyof CutScale>,
): Stretch {
	const { from, to, cuts } = validate(bodySchema, value, 'body');
	const end = Math.min(to, samples);
	const refuse = (msg: string) => {
		throw new ValidationProblem([{ type: 'value_error', loc: ['body', 'to'], msg, input: to }]);
	};
	if (from >= end) refuse('It must be after `from`, which must be inside the recording');
	const played = end - from - (mode === 'cut' ? samplesCut(cuts, from, end) : 0);
	const isTooFar = end - from > MAX_UNCUT_SECONDS * sampleRateHz;
	if (played > MAX_SECONDS * sampleRateHz || isTooFar) {
		refuse(`At most ${MAX_SECONDS} s, and ${MAX_UNCUT_SECONDS} s with what is cut`);
	}
	return { start: from, end, cuts };
}

/** Returns how much cuts take of a range; what several cover counts once. */
function samplesCut(cuts: readonly IndexRange[], from: number, end: number): number {
	let [sum, place] = [0, from];
	for (const cut of cuts.toSorted((a, b) => a.start - b.start)) {
		sum += Math.max(0, Math.min(cut.end, end) - Math.max(cut.start, place));
		place = Math.max(place, cut.end);
	}
	return sum;
}

/**
 * Returns a stretch of a track as a WAV file, at the loudness of the draft.
 * @throws HttpProblem (404) for an unknown track, or when the recording was deleted.
 */
export async function soundFile(
	review: ReadReview,
	track: number,
	stretch: Stretch,
	context: ServiceContext,
	signal: AbortSignal,
): Promise<Buffer> {
	const { kept } = review;
	if (track >= kept.tracks.length) throw new HttpProblem(404, `There is no track ${track}`);
	return await withKeptFiles(review, context, signal, async ({ keptPath }) => {
		return await stretchOf(kept, track, stretch, keptPath, signal);
	});
}

/**
 * Makes something of the files that are kept for a review, and deletes the copies afterwards.
 * @throws HttpProblem (404) when the recording was deleted.
 */
export async function withKeptFiles<T>(
	{ edit }: ReadReview,
	{ tools: { files, scratch, quota } }: ServiceContext,
	signal: AbortSignal,
	make: (on: ClipFiles) => Promise<T>,
): Promise<T> {
	const run = { editId: edit.id, run: edit.review.keptRun };
	const copies: string[] = [];
	const newPath = () => {
		const path = scratch.incomingPath();
		copies.push(path);
		return path;
	};
	const keptPath = async (name: string) => {
		const path = newPath();
		const limits = { allowance: quota.sizeAllowance, signal };
		if ((await files.copyResult(run, name, path, limits)) !== undefined) return path;
		throw new HttpProblem(404, 'This recording was deleted');
	};
	try {
		return await make({ keptPath, newPath });
	} finally {
		for (const path of copies) await rm(path, { force: true });
	}
}
