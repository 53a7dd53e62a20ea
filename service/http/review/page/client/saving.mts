import { Refusal } from './refusal.mts';
import type { Cut, Progress } from './wire.mts';

/** How long after a change the page saves, and how long after a failure it tries again. */
const SAVE_MS = 400;
const AGAIN_MS = 3_000;

/** Where cuts go, and who hears what became of them. */
interface SavingPage {
	send: (update: object) => Promise<Progress | Refusal>;
	saved: (progress: Progress) => void;
	failed: (refusal: Refusal) => void;
}

/** Saves the cuts one time after the other, a moment after the last change, until there is a conflict. */
export class Saving {
	private timer: ReturnType<typeof setTimeout> | undefined;
	private unsaved: readonly Cut[] | undefined;
	private last = Promise.resolve();
	/** After a conflict: this revision of the cuts is no more. */
	isClosed = false;

	constructor(
		private revision: number,
		private readonly page: SavingPage,
	) {}

	get isDone(): boolean {
		return this.unsaved === undefined;
	}

	/** Whether somebody else has changed the cuts. */
	isBehind(progress: Progress): boolean {
		return this.isClosed || (this.isDone && progress.revision > this.revision);
	}

	later(cuts: readonly Cut[], waitMs = SAVE_MS): void {
		if (this.isClosed) return;
		this.unsaved = cuts;
		clearTimeout(this.timer);
		this.timer = setTimeout(() => void this.save(cuts), waitMs);
	}

	/** Saves at once, and approves what was saved if that is wanted. */
	async save(cuts: readonly Cut[], approve = false): Promise<void> {
		clearTimeout(this.timer);
		this.unsaved = cuts;
		this.last = this.last.then(async () => {
			if (!this.isClosed) await this.put(cuts, approve);
		});
		await this.last;
	}

	private async put(cuts: readonly Cut[], approve: boolean): Promise<void> {
		const ranges = cuts.map(({ kind, start, end, keep }) => ({ kind, start, end, keep }));
		const answer = await this.page
			.send({ revision: this.revision, cuts: ranges, approve })
			.catch(() => new Refusal(0));
		if (!(answer instanceof Refusal)) {
			this.revision = answer.revision;
			if (this.unsaved === cuts) this.unsaved = undefined;
			this.page.saved(answer);
			return;
		}
		this.isClosed = answer.status === 409;
		if (answer.isPassing) this.later(this.unsaved ?? cuts, AGAIN_MS);
		else if (this.isClosed || this.unsaved === cuts) this.unsaved = undefined;
		if (answer.isPassing && approve) answer.message += ' Then approve again.';
		this.page.failed(answer);
	}
}
