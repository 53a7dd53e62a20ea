import { z } from 'zod';

import { ValidationProblem } from '../protocol/problems.mts';
import { validate } from '../protocol/validation.mts';
import type { CutScale } from '../../engine/review/cutEdits.mts';
import { cutKindSchema, type Cut } from '../../shared/cuts.mts';

/** More than a person can review. */
const MAX_CUTS = 10_000;

const MAX_NAME_CHARACTERS = 100;

/** What must stay of each track. */
const MIN_SECONDS = 0.1;

/** The name of a person who gave none. */
const NOBODY = 'somebody';

const integer = z.number().int().min(0);

const cutBodySchema = z
	.object({
		kind: cutKindSchema,
		start: integer,
		end: integer,
		keep: z.boolean(),
		// What GET answers may be sent back. The service itself knows these.
		track: z.null().optional(),
		sure: z.number().nullish(),
		by: z.string().optional(),
	})
	.strict();

type CutBody = z.infer<typeof cutBodySchema>;

const decisionBodySchema = (maxCuts: number) =>
	z
		.object({
			revision: integer,
			cuts: z.array(cutBodySchema).max(maxCuts).optional(),
			approve: z.boolean().optional(),
			name: z.string().max(MAX_NAME_CHARACTERS).optional(),
		})
		.strict();

/** What somebody decides about the cuts of an edit. */
export interface Decision {
	/** That the decision follows. */
	revision: number;
	/** Missing: as they are. */
	cuts: Cut[] | undefined;
	isApproved: boolean;
	by: string;
}

/**
 * Reads the body of PUT …/cuts.
 * @param found the cuts of the draft.
 * @param current the cuts so far: of one with the same place, as of those found, `sure` stays, and `by` if `keep` does.
 * @param scale what the cuts count in.
 * @param lengths of the tracks, in samples of the cuts.
 * @throws ValidationProblem that names the field.
 */
export function readDecision(
	body: unknown,
	{ found, current }: Record<'found' | 'current', readonly Cut[]>,
	scale: CutScale,
	lengths: readonly number[],
): Decision {
	const schema = decisionBodySchema(Math.max(MAX_CUTS, found.length, current.length));
	const { revision, cuts, approve = false, name } = validate(schema, body, 'body');
	const by = nameOf(name);
	if (cuts) {
		refuseMisplaced(cuts, scale.samples);
		refuseWhole(cuts, found, scale, lengths);
	}
	const placeOf = ({ start, end }: Pick<Cut, 'start' | 'end'>) => `${start}-${end}`;
	const byPlace = new Map([...found, ...current].map((cut) => [placeOf(cut), cut]));
	const complete = cuts?.map(({ kind, start, end, keep }): Cut => {
		const same = byPlace.get(placeOf({ start, end }));
		if (same === undefined) return { kind, track: null, sure: null, start, end, keep, by };
		// Who approves answers for what was decided without a name.
		const isOwn = same.keep !== keep || (approve && same.by === NOBODY);
		return { ...same, keep, by: isOwn ? by : same.by };
	});
	return { revision, cuts: complete, isApproved: approve, by };
}

/** A name in one line, also for the log. */
function nameOf(name = ''): string {
	const own = name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
	// Who reads the decisions must see what the service found by itself.
	return own === '' || /^engine$/i.test(own) ? NOBODY : own;
}

/** Refuses cuts that leave nothing of a track, which no player opens, unless the draft left no more. */
function refuseWhole(
	cuts: readonly CutBody[],
	found: readonly Cut[],
	{ sampleRateHz }: CutScale,
	lengths: readonly number[],
): void {
	const leftOf = (length: number, list: readonly Omit<CutBody, 'track'>[]) =>
		list
			.filter(({ keep }) => !keep)
			.reduce((left, { start, end }) => left - Math.max(0, Math.min(end, length) - start), length);
	const least = (length: number) => Math.min(MIN_SECONDS * sampleRateHz, leftOf(length, found));
	if (lengths.every((length) => leftOf(length, cuts) >= least(length))) return;
	const msg = `At least ${MIN_SECONDS} s of each track must stay`;
	throw new ValidationProblem([{ type: 'value_error', loc: ['body', 'cuts'], msg, input: null }]);
}

/** Refuses cuts that overlap, are empty, or reach over the end. */
function refuseMisplaced(cuts: readonly CutBody[], samples: number): void {
	const refuse = (index: number, field: 'start' | 'end', msg: string) => {
		const loc = ['body', 'cuts', index, field];
		throw new ValidationProblem([{ type: 'value_error', loc, msg, input: cuts[index][field] }]);
	};
	const inOrder = cuts.map((cut, index) => ({ ...cut, index })).sort((a, b) => a.start - b.start);
	let free = 0;
	for (const { start, end, index } of inOrder) {
		if (end > samples) refuse(index, 'end', `The recording ends at sample ${samples}`);
		if (end <= start) refuse(index, 'end', 'A cut ends after it starts');
		if (start < free) refuse(index, 'start', `Another cut ends at sample ${free}`);
		free = end;
	}
}
