import type { ServerResponse } from 'node:http';

import PQueue from 'p-queue';

import { HttpProblem, RateLimitProblem } from '../protocol/problems.mts';

/** Stretches decoded at once for all who listen. */
const SOUNDS_AT_ONCE = 2;

/**
 * Sounds that are asked for and not yet sent: each may be 12 MB in memory. A page asks for every track
 * at once, and for the next stretch while one plays.
 */
const SOUNDS_UNREAD = 64;

/** Real milliseconds until a sound must be decoded and sent. */
const MAX_SOUND_MS = 60_000;

const GONE = 'The client has gone';

/** Limits how many sounds of reviews are decoded and in memory at once, those of all edits together. */
export class Listeners {
	private readonly decoding = new PQueue({ concurrency: SOUNDS_AT_ONCE });
	private unread = 0;

	/**
	 * Makes a sound for a response when its turn comes.
	 * @param make gets a signal that aborts when the client goes away or takes too long.
	 * @throws HttpProblem (429) if too many sounds are asked for, (400) when the client has gone.
	 */
	async make(
		response: ServerResponse,
		make: (signal: AbortSignal) => Promise<Buffer>,
	): Promise<Buffer> {
		if (this.unread >= SOUNDS_UNREAD) {
			throw new RateLimitProblem('Too many sounds are asked for. Please try again in a moment.');
		}
		if (response.destroyed) throw new HttpProblem(400, GONE);
		const gone = new AbortController();
		const timer = setTimeout(() => response.destroy(), MAX_SOUND_MS);
		this.unread++;
		response.once('close', () => {
			gone.abort();
			clearTimeout(timer);
			this.unread--;
		});
		const { signal } = gone;
		return await this.decoding
			// The queue would give the place to the next one while this one still decodes.
			.add(async () => {
				signal.throwIfAborted();
				return await make(signal);
			})
			.catch((error: unknown) => {
				throw signal.aborted ? new HttpProblem(400, GONE) : error;
			});
	}
}
