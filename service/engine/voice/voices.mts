/** What describes a voice: numbers of length 1. */
type Voice = Float32Array;

/**
 * The centers of two people's voices are less alike than this; those of two halves of one person's are at least .9
 * alike.
 */
const MAX_ALIKE = 0.83;

/**
 * A person speaks at this many moments at least, and in this share of them: somebody who laughs, sings or plays a part
 * for a few seconds is no other one.
 */
const MIN_MOMENTS = 8;
const MIN_SHARE = 0.05;

const MAX_VOICES = 3;
const ROUNDS = 20;

/**
 * Returns the voices of two or three people, if there are several: the center of each. Fewer than two are not told apart.
 *
 * @param minMoments at which a person speaks at least.
 */
export function voicesAmong(described: readonly Voice[], minMoments = MIN_MOMENTS): Voice[] {
	let groups = [described];
	while (groups.length < MAX_VOICES) {
		const next = dividedFurther(groups, described.length, minMoments);
		if (next === undefined) break;
		groups = next;
	}
	return groups.map(centerOf);
}

/** How alike two voices are, up to 1. */
export function alike(one: Voice, other: Voice): number {
	let sum = 0;
	for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
	return sum;
}

/** Divides the group whose halves are least alike, if each can be a person. */
function dividedFurther(groups: readonly (readonly Voice[])[], all: number, minMoments: number) {
	const least = Math.max(minMoments, MIN_SHARE * all);
	return groups
		.map((group, at) => [
			...groups.slice(0, at),
			...groups.slice(at + 1),
			...halvesOf(group, minMoments),
		])
		.filter((some) => some.length > groups.length && some.every(({ length }) => length >= least))
		.map((some) => ({ some, alikeness: mostAlike(some.map(centerOf)) }))
		.filter(({ alikeness }) => alikeness < MAX_ALIKE)
		.toSorted((a, b) => a.alikeness - b.alikeness)
		.at(0)?.some;
}

/** How alike the two most alike of some voices are. */
function mostAlike(voices: readonly Voice[]): number {
	const pairs = voices.flatMap((one, at) => voices.slice(at + 1).map((other) => alike(one, other)));
	return Math.max(...pairs);
}

/** Divides voices around the two that are least like the others and each other. */
function halvesOf(group: readonly Voice[], minMoments: number): Voice[][] {
	if (group.length < 2 * minMoments) return [];
	const one = leastLike(centerOf(group), group);
	let centers = [one, leastLike(one, group)];
	let halves: Voice[][] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const [first, second] = centers;
		const isFirst = group.map((voice) => alike(voice, first) >= alike(voice, second));
		halves = [group.filter((_, at) => isFirst[at]), group.filter((_, at) => !isFirst[at])];
		if (halves.some(({ length }) => length === 0)) return [];
		centers = halves.map(centerOf);
	}
	return halves;
}

function leastLike(voice: Voice, group: readonly Voice[]): Voice {
	return group.reduce((least, one) => (alike(one, voice) < alike(least, voice) ? one : least));
}

/** What is common to some voices. */
export function centerOf(group: readonly Voice[]): Voice {
	const center = new Float32Array(group.at(0)?.length ?? 0);
	for (const voice of group) for (let i = 0; i < center.length; i++) center[i] += voice[i];
	const length = Math.hypot(...center);
	return center.map((one) => one / length);
}
