import { rm } from 'node:fs/promises';

import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { HttpProblem, ValidationProblem } from '../protocol/problems.mts';
import { validate } from '../protocol/validation.mts';
import { stretchOf, type Stretch } from '../../engine/review/stretch.mts';
import type { ReadReview } from './reviewState.mts';

/** What one request may listen to, and the uncut sound that is read for it. */
const LONGEST_SECONDS = 60;
const LONGEST_UNCUT_SECONDS = 600;
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
	{ kept: { mode, sampleRateHz, samples } }: ReadReview,
): Stretch {
	const { from, to, cuts } = validate(bodySchema, value, 'body');
	const end = Math.min(to, samples);
	const refuse = (msg: string) => {
		throw new ValidationProblem([{ type: 'value_error', loc: ['body', 'to'], msg, input: to }]);
	};
	if (from >= end) refuse('It must be after `from`, which must be inside the recording');
	const lengths = cuts.map((cut) => Math.min(cut.end, end) - Math.max(cut.start, from));
	const removed = lengths.reduce((sum, length) => sum + Math.max(0, length), 0);
	const heard = end - from - (mode === 'mute' ? 0 : removed);
	const isLong = heard > LONGEST_SECONDS * sampleRateHz;
	if (isLong) refuse(`At most ${LONGEST_SECONDS} s can be heard at once`);
	const isFar = end - from > LONGEST_UNCUT_SECONDS * sampleRateHz;
	if (isFar) refuse(`At most ${LONGEST_UNCUT_SECONDS} s can be read at once`);
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
