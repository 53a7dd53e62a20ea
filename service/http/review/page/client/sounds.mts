import type { Decision } from './decisions.mts';
import { readSound } from './service.mts';
import { removedFrom, uncutPlace } from './times.mts';
import type { Cut, Review } from './wire.mts';

/** How much is heard before and after a cut, and how much the service sends at once. Seconds. */
const AROUND_SECONDS = 2;
const LONGEST_SECONDS = 60;

/** The bytes before the samples of a WAV file that the service writes. */
const WAV_HEADER_BYTES = 44;

/** What is heard: a range of the uncut sound, without the cuts if they are given. */
interface Passage {
	readonly from: number;
	readonly to: number;
	readonly cuts?: readonly Cut[];
}

/** Plays a few seconds at a time, all tracks mixed. */
export class Sounds {
	private readonly audio = new Audio();
	/** Ends what plays or loads. */
	private current = new AbortController();

	constructor(
		private readonly review: Review,
		private readonly cursor: { point: (place: number) => void },
	) {}

	/** Plays what is around a cut, as it was or as it will be with these cuts. */
	async playAround(cut: Cut, cuts?: readonly Cut[]): Promise<void> {
		await this.playAll([{ ...this.around(cut), ...(cuts && { cuts }) }]);
	}

	/** Plays the sound of each cut that will be removed, one after the other. */
	async playRemoved(
		cuts: readonly Decision[],
		list: { choose: (id: number) => void },
	): Promise<void> {
		const removed = removedFrom(cuts);
		const longest = LONGEST_SECONDS * this.review.sample_rate;
		const passages = removed.map(({ start, end }) => ({
			from: start,
			to: Math.min(end, start + longest),
		}));
		await this.playAll(passages, (place) => {
			const cut = removed[place];
			if (cut) list.choose(cut.id);
		});
	}

	stop(): void {
		this.current.abort();
		this.audio.pause();
	}

	private around({ start, end }: Cut): { from: number; to: number } {
		const { sample_rate: rate, samples } = this.review;
		const from = Math.max(0, start - AROUND_SECONDS * rate);
		return {
			from,
			to: Math.min(samples, end + AROUND_SECONDS * rate, from + LONGEST_SECONDS * rate),
		};
	}

	private async playAll(
		passages: readonly Passage[],
		begins?: (place: number) => void,
	): Promise<void> {
		this.stop();
		const { signal } = (this.current = new AbortController());
		try {
			let next = passages[0] && this.load(passages[0]);
			for (const [place, passage] of passages.entries()) {
				const blob = await next;
				const following = passages[place + 1];
				// Loads while this one plays.
				next = following && this.load(following);
				next?.catch(() => undefined);
				if (signal.aborted || !blob) return;
				begins?.(place);
				await this.playBlob(blob, passage, signal);
			}
		} finally {
			if (!signal.aborted) this.stop();
		}
	}

	private async load({ from, to, cuts }: Passage): Promise<Blob> {
		const tracks = Array.from(this.review.tracks, async (_, track) => {
			const within =
				cuts && removedFrom(cuts, track).filter(({ start, end }) => start < to && end > from);
			return await readSound(track, { from, to }, within);
		});
		return new Blob([mixed(await Promise.all(tracks))], { type: 'audio/wav' });
	}

	private async playBlob(
		blob: Blob,
		{ from, to, cuts }: Passage,
		signal: AbortSignal,
	): Promise<void> {
		const { sample_rate: rate, mode } = this.review;
		const removed =
			cuts && mode === 'cut'
				? removedFrom(cuts).filter(({ end, start }) => end > from && start < to)
				: [];
		const url = URL.createObjectURL(blob);
		this.audio.src = url;
		let isOver = false;
		const show = () => {
			if (isOver || signal.aborted) return;
			this.cursor.point(uncutPlace(from + this.audio.currentTime * rate, removed));
			requestAnimationFrame(show);
		};
		try {
			await this.audio.play();
			show();
			await new Promise<void>((resolve) => {
				this.audio.onended = () => {
					resolve();
				};
				signal.addEventListener('abort', () => {
					resolve();
				});
			});
		} catch (error) {
			// Another sound was chosen before this one began.
			if (!signal.aborted) throw error;
		} finally {
			isOver = true;
			URL.revokeObjectURL(url);
		}
	}
}

/** Returns WAV files of 16 bits added to one; the first has the header for all. */
function mixed([first, ...others]: readonly ArrayBuffer[]): ArrayBuffer {
	if (!first) throw new Error('There are no tracks');
	const samples = new Int16Array(first, WAV_HEADER_BYTES);
	for (const other of others) {
		new Int16Array(other, WAV_HEADER_BYTES).forEach((sample, place) => {
			samples[place] = Math.max(-32_768, Math.min(32_767, (samples[place] ?? 0) + sample));
		});
	}
	return first;
}
