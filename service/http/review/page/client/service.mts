import { reviewer } from './approve.mts';
import type { Cut, Progress, Review } from './wire.mts';

/** What the service refused, in words for a visitor. Status 0 if it did not answer. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}

	/** Whether there is no review, or no permission for it. */
	get isEnd(): boolean {
		return this.status === 403 || this.status === 404;
	}
}

/** The words for answers that have no helpful ones. */
const WORDS: Readonly<Partial<Record<number, string>>> = {
	0: 'The service cannot be reached. The page tries again in a few seconds.',
	403: 'This link has expired or is incomplete. Ask for a new one.',
};

/** How long after a change the page saves, and how long after a failure it tries again. */
const SAVE_MS = 400;
const AGAIN_MS = 3_000;

/** Sends a request about the review; the page's own query is its permission. @throws Refusal */
async function ask(method: string, part: string, body?: object, more = ''): Promise<Response> {
	const { pathname, search } = location;
	const answer = await fetch(`${pathname}/${part}${search}${more}`, {
		...{ method, cache: 'no-store' },
		...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
	}).catch(() => undefined);
	if (answer?.ok) return answer;
	const status = answer?.status ?? 0;
	throw new Refusal(status, WORDS[status] ?? detailIn(await answer?.text()));
}

/** Returns what an error says: a text, or a list with one for each wrong field. */
function detailIn(text = ''): string {
	try {
		const { detail } = JSON.parse(text) as { detail: string | { msg: string }[] };
		return typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join('. ');
	} catch {
		return 'The service could not answer. Try again in a minute.';
	}
}

/** Returns the review, or why there is none now. */
export async function readReview(): Promise<Review | Refusal> {
	try {
		return (await (await ask('GET', 'state')).json()) as Review;
	} catch (error) {
		if (error instanceof Refusal) return error;
		throw error;
	}
}

/** Returns a range of a track as a WAV file, without the cuts if they are given. */
export async function readSound(
	track: number,
	{ from, to }: { from: number; to: number },
	cuts?: readonly Cut[],
): Promise<Blob> {
	const ranges = cuts?.map(({ start, end }) => ({ start, end }));
	const answer = ranges
		? await ask('POST', `sound/${track}`, { from, to, cuts: ranges })
		: await ask('GET', `sound/${track}`, undefined, `&from=${from}&to=${to}`);
	return await answer.blob();
}

/** Makes a new edit from this one's kept files and opens its review. */
export async function startAgain(): Promise<void> {
	const answer = (await (await ask('POST', 'again', {})).json()) as { review_url: string };
	location.assign(answer.review_url);
}

/** Saves the decisions one after the other, a moment after the last change. */
export class Saving {
	private timer = 0;
	private unsaved: readonly Cut[] | undefined;
	private last = Promise.resolve();

	constructor(
		private revision: number,
		private readonly page: {
			follow: (progress: Progress) => Promise<void>;
			failed: (refusal: Refusal) => Promise<void>;
		},
	) {}

	get isDone(): boolean {
		return this.unsaved === undefined;
	}

	later(cuts: readonly Cut[], waitMs = SAVE_MS): void {
		this.unsaved = cuts;
		clearTimeout(this.timer);
		this.timer = window.setTimeout(() => void this.save(cuts), waitMs);
	}

	/** Saves at once, and approves what was saved if that is wanted. */
	async save(cuts: readonly Cut[], approve = false): Promise<void> {
		clearTimeout(this.timer);
		this.last = this.last.then(async () => {
			await this.put(cuts, approve);
		});
		await this.last;
	}

	private async put(cuts: readonly Cut[], approve: boolean): Promise<void> {
		const ranges = cuts.map(({ kind, start, end, keep }) => ({ kind, start, end, keep }));
		const name = reviewer() || undefined;
		try {
			const answer = await ask('PUT', 'cuts', {
				revision: this.revision,
				cuts: ranges,
				name,
				approve,
			});
			const progress = (await answer.json()) as Progress;
			this.revision = progress.revision;
			if (this.unsaved === cuts || approve) this.unsaved = undefined;
			void this.page.follow(progress);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			const { status, message } = error;
			const isBroken = status === 0 || status >= 500;
			clearTimeout(this.timer);
			if (isBroken) this.later(this.unsaved ?? cuts, AGAIN_MS);
			else this.unsaved = undefined;
			const more = approve && isBroken ? ' Then approve again.' : '';
			await this.page.failed(new Refusal(status, message + more));
		}
	}
}
