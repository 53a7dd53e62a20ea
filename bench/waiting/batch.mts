import { Chance } from '../../testkit/measure/chance.mts';
import { type Timeline, working } from '../../testkit/service/fake/timeline.ts';

/** A batch of edits at a service that works on a number of them at once. */
export interface Batch {
	/** In the order of submission. */
	readonly ids: readonly string[];
	readonly timelines: Readonly<Record<string, Timeline>>;
	/** When each edit begins to be worked on, and when it is done, in seconds. */
	readonly spans: readonly { id: string; startSeconds: number; endSeconds: number }[];
}

/** Four of five recordings are clips (30 to 90 s of work), one is an episode (5 to 10 minutes). */
const EPISODE_SHARE = 0.2;
const CLIP_SECONDS = [30, 90] as const;
const EPISODE_SECONDS = [300, 600] as const;

/** How long the service works on an edit, in seconds. */
export function workSeconds(chance: Chance): number {
	const [shortest, longest] = chance.isTrue(EPISODE_SHARE) ? EPISODE_SECONDS : CLIP_SECONDS;
	return chance.between(shortest, longest);
}

/**
 * Makes a batch that is submitted at once at second 0.
 *
 * @param isInOrder whether the service starts edits in the order of submission; else at random
 */
export function makeBatch(
	edits: number,
	parallelism: number,
	isInOrder = true,
	seed = edits,
): Batch {
	const chance = new Chance(seed);
	const ids = Array.from({ length: edits }, (_, index) => `edit-${index}`);
	const keys = new Map(ids.map((id, index) => [id, isInOrder ? index : chance.next()]));
	const queue = ids.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
	const freeAtSeconds = Array.from({ length: parallelism }, () => 0);
	const spans = queue.map((id) => {
		const startSeconds = Math.min(...freeAtSeconds);
		const endSeconds = startSeconds + workSeconds(chance);
		freeAtSeconds[freeAtSeconds.indexOf(startSeconds)] = endSeconds;
		return { id, startSeconds, endSeconds };
	});
	const timelines = Object.fromEntries(
		spans.map(({ id, startSeconds, endSeconds }) => [
			id,
			working(endSeconds - startSeconds, 'SUCCESS', startSeconds),
		]),
	);
	return { ids, timelines, spans };
}
