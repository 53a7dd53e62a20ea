import { rm } from 'node:fs/promises';

import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { HttpProblem, ValidationProblem } from '../protocol/problems.mts';
import { validate } from '../protocol/validation.mts';
import { stretchOf, type Stretch } from '../../engine/review/stretch.mts';
import type { ReadReview } from './reviewState.mts';

/** What one request may listen to. */
const LONGEST_SECONDS = 60;
/** More are not audible in that time. */
const MOST_CUTS = 1_000;

const sample = z.number().int().min(0);
const bodySchema = z
	.object({
		...{ from: sample, to: sample },
		cuts: z
			.array(z.object({ start: sample, end: sample }))
			.max(MOST_CUTS)
			.default([]),
	})
	.strict();

/** Reads which stretch somebody wants to hear. @throws ValidationProblem that names the field. */
export function readStretch(
	value: unknown,
	where: 'query' | 'body',
	{ kept: { sampleRateHz, samples } }: ReadReview,
): Stretch {
	const { from, to, cuts } = validate(bodySchema, value, where);
	const end = Math.min(to, samples);
	const fault =
		from >= end
			? 'It must be after `from`, which must be inside the recording'
			: `At most ${LONGEST_SECONDS} s can be heard at once`;
	if (from >= end || end - from > LONGEST_SECONDS * sampleRateHz) {
		const loc = [where, 'to'];
		throw new ValidationProblem([{ type: 'value_error', loc, msg: fault, input: to }]);
	}
	return { start: from, end, cuts };
}

/**
 * Returns a stretch of a track as a WAV file, at the loudness of the draft.
 * @throws HttpProblem (404) for an unknown track, or when the recording was deleted.
 */
export async function soundFile(
	{ edit, kept }: ReadReview,
	track: number,
	stretch: Stretch,
	{ tools: { files, scratch, quota } }: ServiceContext,
	signal: AbortSignal,
): Promise<Buffer> {
	if (track >= kept.tracks.length) throw new HttpProblem(404, `There is no track ${track}`);
	const run = { editId: edit.id, run: edit.review.keptRun };
	const taken: string[] = [];
	try {
		const pathOf = async (name: string) => {
			const place = await files.resultPlace(run, name, 0);
			if ('path' in place) return place.path;
			const path = scratch.incomingPath();
			taken.push(path);
			const limits = { allowance: quota.sizeAllowance, signal };
			if ((await files.takeResult(run, name, path, limits)) !== undefined) return path;
			throw new HttpProblem(404, 'This recording was deleted');
		};
		return await stretchOf(kept, track, stretch, pathOf, signal);
	} finally {
		for (const path of taken) await rm(path, { force: true });
	}
}
