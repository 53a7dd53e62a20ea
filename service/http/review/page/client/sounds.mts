import type { CutPage, PageCut } from './cutEditor.mts';
import { type Passage, passageAround, passageOf, passagesFrom, uncutPlace } from './passages.mts';
import { readSound } from './service.mts';
import { removedFrom } from './times.mts';
import type { Cut, Review } from './wire.mts';

/** How fast sounds are played, in the order in which a visitor chooses. The pitch stays. */
const SPEEDS = [1, 1.25, 1.5, 2, 0.75];

/** Plays a few seconds at a time, all tracks together. */
export class Sounds {
	private readonly players: readonly HTMLAudioElement[];
	/** Ends what loads or plays. */
	private current = new AbortController();
	private speed = SPEEDS[0];

	constructor(
		private readonly review: Review,
		private readonly page: CutPage,
	) {
		this.players = review.tracks.map(() => new Audio());
	}

	/** Plays what is around a cut, as it was or as it will be with these cuts. */
	async playAround(cut: Cut, cuts?: readonly Cut[]): Promise<void> {
		await this.playAll([passageAround(cut, this.review, cuts)]);
	}

	/** Plays from a place to the end, without these cuts. */
	async playFrom(place: number, cuts: readonly Cut[]): Promise<void> {
		await this.playAll(passagesFrom(place, this.review, cuts));
	}

	/** Plays the sound of each cut that will be made, one after the other, and chooses it. */
	async playRemoved(cuts: readonly PageCut[]): Promise<void> {
		const removed = removedFrom(cuts);
		const passages = removed.map((cut) => passageOf(cut, this.review.sample_rate));
		await this.playAll(passages, removed);
	}

	stop(): void {
		this.current.abort();
		for (const player of this.players) player.pause();
	}

	/** Plays at the next speed, also what plays now. @returns the speed */
	faster(): number {
		this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
		for (const player of this.players) player.playbackRate = this.speed;
		return this.speed;
	}

	/** Plays passages one after the other. @param cuts are chosen when their passage begins */
	private async playAll(passages: Passage[], cuts: PageCut[] = []): Promise<void> {
		this.stop();
		const { signal } = (this.current = new AbortController());
		try {
			let next = this.load(passages.at(0), signal);
			for (const [place, passage] of passages.entries()) {
				const sounds = await next;
				// Loads while this one plays. A failure shows when its turn comes.
				next = this.load(passages.at(place + 1), signal);
				next.catch(() => undefined);
				signal.throwIfAborted();
				if (place < cuts.length) this.page.choose(cuts[place].id);
				await this.playPassage(sounds, passage);
			}
		} catch (error) {
			// What was stopped fails because of it.
			if (!signal.aborted) throw error;
		}
	}

	/** Returns the sound of each track; none after the last passage. */
	private async load(passage: Passage | undefined, signal: AbortSignal): Promise<Blob[]> {
		if (!passage) return [];
		return await Promise.all(this.players.map((_, track) => readSound(track, passage, signal)));
	}

	private async playPassage(sounds: readonly Blob[], passage: Passage): Promise<void> {
		const { sample_rate: rate, mode } = this.review;
		const { signal } = this.current;
		const urls = sounds.map((sound) => URL.createObjectURL(sound));
		const follow = setInterval(() => {
			const played = this.players[0].currentTime * rate;
			this.page.point(mode === 'cut' ? uncutPlace(played, passage) : passage.from + played);
		}, 50);
		const ended = this.players.map(async (player, track) => {
			const isOver = new Promise((resolve) => {
				player.onended = resolve;
				signal.addEventListener('abort', resolve);
			});
			player.src = urls[track];
			player.playbackRate = this.speed;
			await player.play();
			await isOver;
		});
		try {
			await Promise.all(ended);
		} finally {
			clearInterval(follow);
			for (const url of urls) URL.revokeObjectURL(url);
		}
	}
}
