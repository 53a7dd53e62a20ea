import { z } from 'zod';

/** Why a cut is doubtful: what was heard that speaks against it, or that it only just is what its kind asks for. */
export const reasonSchema = z.enum([
	/** Speech is heard in a pause, a breath or a mouth sound. */
	'speech',
	/** A filler whose sound changes as that of words does. */
	'changes',
	/** A filler in another voice than the sentences around it: an answer. */
	'other_voice',
	/** A stutter that is not said again. */
	'not_repeated',
	/** Nothing speaks against it, but its detector was not far beyond its limits. */
	'near_limit',
]);

export type Reason = z.infer<typeof reasonSchema>;

/** How doubtful a cut is, on one scale over all kinds. */
export const doubtSchema = z.object({
	/** The place of the cut, as in `cutSchema`. */
	start: z.number().int().nonnegative(),
	end: z.number().int().positive(),
	/** 0 to 1. Above 0.5, something that was heard speaks against the cut. */
	doubt: z.number().min(0).max(1),
	reason: reasonSchema,
});

export type Doubt = z.infer<typeof doubtSchema>;

/** What was heard that speaks against a cut: how strongly, 0 to 1. */
export interface Evidence {
	readonly reason: Reason;
	readonly strength: number;
}

/** What is certain to 1 is half as doubtful as what something speaks against. */
const MAX_DOUBT_WITHOUT_EVIDENCE = 0.5;

/** Returns the doubt about a cut: by the strongest evidence against it, or else by how sure its detector was. */
export function doubtFrom(
	sure: number,
	evidence: readonly Evidence[],
): Omit<Doubt, 'start' | 'end'> {
	const strongest = evidence.toSorted((a, b) => b.strength - a.strength).at(0);
	if (strongest === undefined || strongest.strength <= 0) {
		return { doubt: rounded(MAX_DOUBT_WITHOUT_EVIDENCE * (1 - sure)), reason: 'near_limit' };
	}
	const more = (1 - MAX_DOUBT_WITHOUT_EVIDENCE) * Math.min(1, strongest.strength);
	return { doubt: rounded(MAX_DOUBT_WITHOUT_EVIDENCE + more), reason: strongest.reason };
}

function rounded(doubt: number): number {
	return Math.round(1_000 * doubt) / 1_000;
}
