import type { Decision } from './decisions.mts';
import { readSound } from './service.mts';
import { removedFrom, uncutPlace } from './times.mts';
import type { Cut, Review } from './wire.mts';

/** How much is heard before and after a cut, and how much the service sends at once. Seconds. */
const AROUND_SECONDS = 2;
const LONGEST_SECONDS = 60;

/** What is heard: a range of the uncut sound, without the cuts if they are given. */
interface Passage {
	readonly from: number;
	readonly to: number;
	readonly cuts?: readonly Cut[];
}

/** Plays a few seconds at a time, all tracks together. */
export class Sounds {
	private readonly players: readonly HTMLAudioElement[];
	/** Ends what plays or loads. */
	private current = new AbortController();

	constructor(
		private readonly review: Review,
		private readonly cursor: { point: (place: number) => void },
	) {
		this.players = review.tracks.map(() => new Audio());
	}

	/** Plays what is around a cut, as it was or as it will be with these cuts. */
	async playAround({ start, end }: Cut, cuts?: readonly Cut[]): Promise<void> {
		const around = AROUND_SECONDS * this.review.sample_rate;
		const from = Math.max(0, start - around);
		const to = Math.min(this.review.samples, end + around, from + this.longest);
		const within = cuts && removedFrom(cuts).filter((cut) => cut.start < to && cut.end > from);
		await this.playAll([{ from, to, ...(within && { cuts: within }) }]);
	}

	/** Plays the sound of each cut that will be made, one after the other, and chooses it. */
	async playRemoved(
		cuts: readonly Decision[],
		list: { choose: (id: number) => void },
	): Promise<void> {
		const removed = removedFrom(cuts);
		const passages = removed.map(({ start, end }) => {
			return { from: start, to: Math.min(end, start + this.longest) };
		});
		await this.playAll(passages, (place) => {
			list.choose(removed[place].id);
		});
	}

	stop(): void {
		this.current.abort();
		for (const player of this.players) player.pause();
	}

	private get longest(): number {
		return LONGEST_SECONDS * this.review.sample_rate;
	}

	private async playAll(
		passages: readonly Passage[],
		begins?: (place: number) => void,
	): Promise<void> {
		this.stop();
		const { signal } = (this.current = new AbortController());
		let next = this.loadAt(passages, 0);
		for (const [place, passage] of passages.entries()) {
			const urls = await next;
			// Loads while this one plays. A failure shows when its turn comes.
			next = this.loadAt(passages, place + 1);
			next.catch(() => undefined);
			if (signal.aborted) return;
			begins?.(place);
			await this.playPassage(urls, passage, signal);
		}
	}

	/** Returns a URL for each track; none after the last passage. */
	private async loadAt(passages: readonly Passage[], index: number): Promise<string[]> {
		const passage = passages.at(index);
		if (!passage) return [];
		const { from, to, cuts } = passage;
		const sounds = this.players.map((_, track) => readSound(track, { from, to }, cuts));
		return (await Promise.all(sounds)).map((sound) => URL.createObjectURL(sound));
	}

	private async playPassage(
		urls: readonly string[],
		{ from, cuts = [] }: Passage,
		signal: AbortSignal,
	): Promise<void> {
		const { sample_rate: rate, mode } = this.review;
		const follow = setInterval(() => {
			const place = from + this.players[0].currentTime * rate;
			this.cursor.point(mode === 'cut' ? uncutPlace(place, cuts) : place);
		}, 50);
		const ended = this.players.map(async (player, track) => {
			const isOver = new Promise((resolve) => {
				player.onended = resolve;
				signal.addEventListener('abort', resolve);
			});
			player.src = urls[track];
			await player.play();
			await isOver;
		});
		try {
			await Promise.all(ended);
		} catch (error) {
			// Another sound was chosen before this one began.
			if (!signal.aborted) throw error;
		} finally {
			clearInterval(follow);
			for (const url of urls) URL.revokeObjectURL(url);
		}
	}
}
