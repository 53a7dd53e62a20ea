/** What describes a voice: numbers of length 1. */
type Voice = Float32Array;

/**
 * The centers of two people's voices are less alike than this; those of two halves of one person's are at least .9
 * alike.
 */
const MAX_ALIKE = 0.83;

/** A person speaks in this share of the moments: somebody who laughs, sings or plays a part for a few seconds is no other one. */
const MIN_SHARE = 0.05;

const MAX_VOICES = 3;
const ROUNDS = 20;

/**
 * Returns the voices of two or three people, if there are several: the center of each. Fewer than two are not told apart.
 *
 * @param minMoments at which a person speaks at least.
 */
export function voicesAmong(described: readonly Voice[], minMoments: number): Voice[] {
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

/** Which of some voices is most like what was described, on the whole. */
export function nearestVoice(described: readonly Voice[], voices: readonly Voice[]): number {
	const likeness = voices.map((voice) =>
		described.reduce((sum, one) => sum + alike(one, voice), 0),
	);
	return likeness.indexOf(Math.max(...likeness));
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
	const divided = dividedAround(leastLike(centerOf(group), group), group, 1);
	if (divided === undefined) return [];
	return ([0, 1] as const).map((half) => group.filter((_, at) => divided.sides[at] === half));
}

/** Voices in two halves: of each voice the half, and the centers of both. */
export interface Divided {
	readonly sides: readonly (0 | 1)[];
	readonly centers: readonly Voice[];
}

/**
 * Divides voices around one of them and the one least like it (two means); undefined if a half becomes too small.
 *
 * @param minVoices of each half.
 */
export function dividedAround(
	first: Voice,
	group: readonly Voice[],
	minVoices: number,
): Divided | undefined {
	let centers: readonly Voice[] = [first, leastLike(first, group)];
	let sides: (0 | 1)[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		sides = group.map((voice) => sideOf(voice, centers));
		const halves = [0, 1].map((half) => group.filter((_, at) => sides[at] === half));
		if (halves.some(({ length }) => length < minVoices)) return undefined;
		centers = halves.map(centerOf);
	}
	return { sides, centers };
}

/** Which of two centers a voice is more like. */
export function sideOf(voice: Voice, [first, second]: readonly Voice[]): 0 | 1 {
	return alike(voice, first) >= alike(voice, second) ? 0 : 1;
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
