import { reviewer } from './approve.mts';
import type { Passage } from './passages.mts';
import { Refusal } from './refusal.mts';
import type { Progress, Review } from './wire.mts';

/** Sends a request about the review; the page's own query is its permission. Never rejects. */
async function ask<T>(
	method: string,
	part: string,
	body?: object,
	{
		format = 'json',
		signal = null,
	}: { format?: 'json' | 'blob'; signal?: AbortSignal | null } = {},
): Promise<T | Refusal> {
	const { pathname, search } = location;
	try {
		const answer = await fetch(`${pathname}/${part}${search}`, {
			method,
			cache: 'no-store',
			signal,
			...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
		});
		if (!answer.ok) return new Refusal(answer.status, await answer.text());
		return (await answer[format]()) as T;
	} catch {
		return new Refusal(0);
	}
}

/** Returns the whole review, or what changes in it; or why there is none now. */
export async function read<Part extends 'state' | 'progress'>(
	part: Part,
): Promise<(Part extends 'state' ? Review : Progress) | Refusal> {
	return await ask('GET', part);
}

/** Stores cuts. */
export async function putCuts(update: object): Promise<Progress | Refusal> {
	return await ask('PUT', 'cuts', { ...update, name: reviewer() || undefined });
}

/** Returns a passage of a track as a WAV file. @throws Refusal */
export async function readSound(
	track: number,
	passage: Passage,
	signal: AbortSignal,
): Promise<Blob> {
	const sound = await ask<Blob>('POST', `sound/${track}`, passage, { format: 'blob', signal });
	if (sound instanceof Refusal) throw sound;
	return sound;
}

/** Makes a new edit from this one's kept files and opens its review. @throws Refusal */
export async function startAgain(): Promise<void> {
	const edit = await ask<{ review_url: string }>('POST', 'again', {});
	if (edit instanceof Refusal) throw edit;
	location.assign(edit.review_url);
}
