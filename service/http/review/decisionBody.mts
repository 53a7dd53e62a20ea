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

const placeSchema = z.object({ start: integer, end: integer, keep: z.boolean() }).strict();

const decisionBodySchema = (maxCuts: number) =>
	z
		.object({
			revision: integer,
			cuts: z.array(cutBodySchema).max(maxCuts).optional(),
			decisions: z.array(placeSchema).max(maxCuts).optional(),
			approve: z.boolean().optional(),
			name: z.string().max(MAX_NAME_CHARACTERS).optional(),
		})
		.strict();

/** The cuts that somebody decides about. */
interface KnownCuts {
	/** The cuts of the draft. */
	found: readonly Cut[];
	/** The cuts so far: of one with the same place, as of those found, `sure` stays, and `by` if `keep` does. */
	current: readonly Cut[];
}

/** What somebody asks for, before it is compared with the cuts. */
export type AskedDecision = ReturnType<typeof readAsked>;

/**
 * Reads the body of PUT …/cuts.
 * @throws ValidationProblem that names the field.
 */
export function readAsked(body: unknown, { found, current }: KnownCuts) {
	const schema = decisionBodySchema(Math.max(MAX_CUTS, found.length, current.length));
	const { approve = false, name, ...asked } = validate(schema, body, 'body');
	if (asked.cuts && asked.decisions) {
		refuse(['decisions'], 'Give either `cuts` or `decisions`', null);
	}
	return { ...asked, isApproved: approve, by: nameOf(name) };
}

/**
 * Returns all cuts as somebody decides; undefined: as they are.
 * @param scale what the cuts count in.
 * @param lengths of the tracks, in samples of the cuts.
 * @throws ValidationProblem that names the field.
 */
export function decidedCuts(
	{ cuts: asked, decisions, isApproved, by }: AskedDecision,
	{ found, current }: KnownCuts,
	scale: CutScale,
	lengths: readonly number[],
): Cut[] | undefined {
	const cuts = decisions ? withDecisions(current, decisions) : asked;
	if (cuts === undefined) return undefined;
	refuseMisplaced(cuts, scale.samples);
	refuseWhole(cuts, found, scale, lengths);
	const byPlace = new Map([...found, ...current].map((cut) => [placeOf(cut), cut]));
	return cuts.map(({ kind, start, end, keep }): Cut => {
		const same = byPlace.get(placeOf({ start, end }));
		if (same === undefined) return { kind, track: null, sure: null, start, end, keep, by };
		// Who approves answers for what was decided without a name.
		const isOwn = same.keep !== keep || (isApproved && same.by === NOBODY);
		return { ...same, keep, by: isOwn ? by : same.by };
	});
}

/** The place of a cut as a key: no two cuts have the same. */
export function placeOf({ start, end }: Pick<Cut, 'start' | 'end'>): string {
	return `${start}-${end}`;
}

/** The cuts with decisions about some of them. */
function withDecisions(
	current: readonly Cut[],
	decisions: readonly z.infer<typeof placeSchema>[],
): Cut[] {
	const known = new Set(current.map(placeOf));
	const decided = new Map<string, boolean>();
	for (const [index, decision] of decisions.entries()) {
		const place = placeOf(decision);
		const loc = ['decisions', index, 'start'];
		if (!known.has(place)) {
			refuse(
				loc,
				`No cut begins at sample ${decision.start} and ends at ${decision.end}`,
				decision.start,
			);
		}
		if (decided.has(place)) refuse(loc, 'Another decision is about the same cut', decision.start);
		decided.set(place, decision.keep);
	}
	return current.map((cut) => ({ ...cut, keep: decided.get(placeOf(cut)) ?? cut.keep }));
}

function refuse(loc: ReadonlyArray<string | number>, msg: string, input: unknown): never {
	throw new ValidationProblem([{ type: 'value_error', loc: ['body', ...loc], msg, input }]);
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
	refuse(['cuts'], `At least ${MIN_SECONDS} s of each track must stay`, null);
}

/** Refuses cuts that overlap, are empty, or reach over the end. */
function refuseMisplaced(cuts: readonly CutBody[], samples: number): void {
	const refuseAt = (index: number, field: 'start' | 'end', msg: string) => {
		refuse(['cuts', index, field], msg, cuts[index][field]);
	};
	const inOrder = cuts.map((cut, index) => ({ ...cut, index })).sort((a, b) => a.start - b.start);
	let free = 0;
	for (const { start, end, index } of inOrder) {
		if (end > samples) refuseAt(index, 'end', `The recording ends at sample ${samples}`);
		if (end <= start) refuseAt(index, 'end', 'A cut ends after it starts');
		if (start < free) refuseAt(index, 'start', `Another cut ends at sample ${free}`);
		free = end;
	}
}
