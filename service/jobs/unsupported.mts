import type { JobRequest } from './job.mts';

/** One thing the interface offers and this version cannot do. */
interface MissingAbility {
	/** Reads on after "does not carry out". */
	what: string;
	isAskedFor: (request: JobRequest) => boolean;
}

/**
 * What this version does not carry out yet. A later version shortens the table; nothing else in the
 * job room knows these keys.
 */
const MISSING_ABILITIES: readonly MissingAbility[] = [
	{ what: 'removal of fillers (fillers)', isAskedFor: ({ config }) => config.fillers },
	{ what: 'removal of stutters (stutters)', isAskedFor: ({ config }) => config.stutters },
	{
		what: 'removal of mouth sounds (mouth_sounds)',
		isAskedFor: ({ config }) => config.mouth_sounds,
	},
	{ what: 'removal of hesitations (hesitations)', isAskedFor: ({ config }) => config.hesitations },
	{ what: 'removal of breaths (breath)', isAskedFor: ({ config }) => config.breath !== false },
];

/** Why this version cannot do what is asked for, or undefined when it can. */
export function reasonToRefuse(request: JobRequest): string | undefined {
	const missing = MISSING_ABILITIES.filter(({ isAskedFor }) => isAskedFor(request));
	if (missing.length === 0) return undefined;
	const list = missing.map(({ what }) => what).join(', ');
	return `The local service does not carry out ${list} yet`;
}
