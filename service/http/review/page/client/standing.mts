import { byId, element } from './dom.mts';
import { clock, removedFrom } from './times.mts';
import type { Cut, Progress, Review } from './wire.mts';

/** The short word for each state, and the color that it shares with the list of edits. */
const LABELS = {
	waiting: ['to review', 'pending'],
	approved: ['approved', 'running'],
	finished: ['done', 'succeeded'],
	failed: ['failed', 'failed'],
} as const;

/** Shows what will be removed, and how loud the recording was and will be. */
export function showSummary(review: Review, cuts: readonly Cut[]): void {
	const { samples, sample_rate: rate, mode, loudness } = review;
	const removed = removedFrom(cuts);
	const length = removed.reduce((sum, { start, end }) => sum + end - start, 0);
	const verb = mode === 'mute' ? 'muted' : 'removed';
	const times = `${clock(length / rate)} of ${clock(samples / rate)} ${verb}`;
	const facts = [`${removed.length} of ${cuts.length} cuts`, times];
	if (loudness) {
		const [before, after] = [loudness.before_lufs, loudness.after_lufs].map((lufs) =>
			lufs.toFixed(1).replace('-', '−'),
		);
		facts.push(`Loudness ${before} → ${after} LUFS`);
	}
	const chips = facts.map((fact) => element('span', 'chip', fact));
	byId('summary', HTMLElement).replaceChildren(...chips);
}

/** Shows the state of the review; only a waiting one can be changed. */
export function showStanding(progress: Progress): void {
	const { state, approved_by: name, review_until: until, result_url: link } = progress;
	const { failure_reason: reason } = progress;
	const end = moment(until);
	const by = name === null ? '' : ` by ${name}`;
	const words = {
		waiting: `Waiting for approval until ${end}.`,
		approved: `Approved${by}. The service finishes the edit. The file appears here.`,
		finished: `Finished${name === null ? '' : `, approved${by}`}. Changing the cuts makes a new edit, which is not delivered.`,
		failed: `Failed: ${reason}. The cuts are kept: a new edit can begin with them.`,
	}[state];
	const [label, look] = LABELS[state];
	const standing = byId('standing', HTMLElement);
	standing.replaceChildren(element('span', `status ${look}`, label), ` ${words}`);
	const file = byId('file', HTMLAnchorElement);
	file.hidden = link === null;
	if (link !== null) file.href = link;
	byId('timelines', HTMLElement).hidden = state !== 'finished';
	byId('again', HTMLElement).hidden = state !== 'finished' && state !== 'failed';
	showWork(state === 'waiting');
}

/** Returns a moment with its time zone: whoever reviews may be in another one than the service. */
function moment(time: string): string {
	const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
	const clock = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
	return new Date(time).toLocaleString(undefined, { ...day, ...clock });
}

/** Shows why nobody can review now. */
export function showEnd(words: string): void {
	byId('standing', HTMLElement).textContent = words;
	showWork(false);
}

function showWork(isShown: boolean): void {
	for (const id of ['work', 'bar']) byId(id, HTMLElement).hidden = !isShown;
}
