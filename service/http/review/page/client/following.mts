import { Refusal } from './refusal.mts';
import { read } from './service.mts';
import { showEnd, showStanding } from './standing.mts';
import type { Progress } from './wire.mts';

/** How long the page waits before it asks for what others did, or whether the file is ready. Seconds. */
const POLL_SECONDS = { waiting: 15, approved: 3, finished: Infinity, failed: Infinity } as const;

/** What is said of a change that the service refused. */
const LATE = {
	waiting:
		'Your last change was not saved: someone else was faster. The page shows their cuts now.',
	over: 'Your last change was not saved: the review had ended.',
} as const;

/** The page of a review that is followed. */
interface FollowingPage {
	/** Shows the cuts of others, if they are newer. */
	catchUp: (progress: Progress) => void;
	warn: (text: string) => void;
}

/** Follows what becomes of a review, and shows it. */
export class Following {
	private poll = 0;

	constructor(private readonly page: FollowingPage) {}

	/** Shows how far the review is, and looks again after a while unless it is over. */
	follow(progress: Progress, wasLost = false): void {
		showStanding(progress);
		clearTimeout(this.poll);
		const waitMs = 1_000 * POLL_SECONDS[progress.state];
		if (waitMs < Infinity)
			this.poll = window.setTimeout(() => void this.look(progress, { wasLost }), waitMs);
	}

	/**
	 * Shows what became of the review.
	 * @param how `wasLost` whether the last look failed, `isRefused` whether a change was just refused
	 */
	async look(last: Progress, how: { wasLost?: boolean; isRefused?: boolean }): Promise<void> {
		const { poll, page } = this;
		const next = await read('progress');
		// What a save brought meanwhile is newer.
		if (poll !== this.poll) return;
		if (next instanceof Refusal) {
			this.refuse(next);
			if (!next.isEnd) this.follow(last, true);
			return;
		}
		if (how.wasLost) page.warn('');
		page.catchUp(next);
		if (how.isRefused) page.warn(LATE[next.state === 'waiting' ? 'waiting' : 'over']);
		this.follow(next);
	}

	/** Shows why the service did not do something. */
	refuse({ isEnd, message }: Refusal): void {
		if (isEnd) showEnd(message);
		this.page.warn(isEnd ? '' : message);
	}
}
