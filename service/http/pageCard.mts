import { html as markup } from 'ghtml';

import { EDIT_CONFIG_DEFAULTS, phaseOf } from '../shared/contract.mts';
import type { StoredEdit } from '../store/edit.mts';
import type { Outline, Outlines } from './outlines.mts';
import { durationText, waveformSvg } from './waveformSvg.mts';

/** What the page shows of an edit beside its row. */
export interface CardExtras {
	outlines: Outlines | undefined;
	/** A link to play a part (`edited`, `source-1`); undefined when the page may not play anything. */
	linkTo: ((part: string) => string) | undefined;
	/** Changes when the card does: a card that plays and stays the same is left alone. */
	version: string;
}

/** Tracks drawn of one edit; more make the page long. */
const TRACKS_SHOWN = 4;

/** The settings that differ from the defaults; of the storage URL only that there is one. */
function settingsOf({ request }: StoredEdit): string[] {
	const defaults: Readonly<Record<string, unknown>> = EDIT_CONFIG_DEFAULTS;
	const entries = Object.entries(request.config).filter(([key, value]) => value !== defaults[key]);
	const chips = entries.map(([key, value]) => {
		if (key === 'signed_url') return 'signed_url given';
		return value === true ? key : `${key} ${String(value)}`;
	});
	return request.kind === 'noise' ? ['noise', ...chips] : chips;
}

/** Lengths, counts and settings as chips. */
function chipsOf(job: StoredEdit): string {
	const { outcome } = job;
	const counts = Object.entries(outcome?.statistics ?? {}).filter(([, count]) => count > 0);
	const lengths = outcome && [
		markup`<strong>${durationText(outcome.durationBeforeSeconds)} → ${durationText(outcome.durationAfterSeconds)}</strong>`,
	];
	const chips = [
		...(lengths ?? []),
		...counts.map(([kind, count]) => markup`<strong>${kind} ${count}</strong>`),
		...settingsOf(job).map((setting) => markup`${setting}`),
	];
	return chips.map((chip) => markup`<span class="chip">!${chip}</span>`).join('');
}

function player(link: string | undefined, label: string): string {
	if (link === undefined) return '';
	return markup`<audio controls preload="none" aria-label="${label}" src="${link}"></audio>`;
}

/** Name and length beside a waveform. */
function caption(what: string, { durationSeconds }: Outline): string {
	return markup`<div class="what">${what}<span>${durationText(durationSeconds)}</span></div>`;
}

/** Before and after of every track, with players. */
function takesOf(job: StoredEdit, { outlines, linkTo }: CardExtras): string {
	const fileName = job.outcome?.fileName ?? '';
	// The tracks of a recording come in one ZIP, or mixed: no player for each.
	const isArchive = fileName.endsWith('.zip');
	const editedPlayer = isArchive ? '' : player(linkTo?.('edited'), `After: ${fileName}`);
	if (outlines === undefined)
		return editedPlayer && markup`<div class="take">!${editedPlayer}</div>`;
	const { tracks } = outlines;
	const scaleSeconds = Math.max(...tracks.map(({ source }) => source.durationSeconds));
	const takes = tracks.slice(0, TRACKS_SHOWN).map(({ name, source, edited }, index) => {
		const isLast = index === Math.min(tracks.length, TRACKS_SHOWN) - 1;
		return markup`<div class="take">
			!${tracks.length > 1 ? markup`<div class="name">${name}</div>` : ''}
			!${caption('Before', source)}
			!${waveformSvg(source, scaleSeconds, `Before: ${name}`, outlines)}
			!${player(linkTo?.(`source-${index + 1}`), `Before: ${name}`)}
			!${caption('After', edited)}
			<div class="after">!${waveformSvg(edited, scaleSeconds, `After: ${name}`)}</div>
			!${isLast ? editedPlayer : ''}
		</div>`;
	});
	const more = tracks.length - takes.length;
	return takes.join('') + (more > 0 ? markup`<p class="note">and ${more} more tracks</p>` : '');
}

/** One edit as the page shows it. */
export function cardOf(job: StoredEdit, extras: CardExtras): string {
	const created = new Date(job.createdAtMs).toISOString();
	const names = job.request.sources.map(({ name }) => name).join(' + ');
	const notes = (job.outcome?.notes ?? []).map((note) => markup`<p class="note">${note}</p>`);
	const reason =
		job.failureReason === null ? '' : markup`<p class="reason">${job.failureReason}</p>`;
	return markup`<article id="edit-${job.id}" data-version="${extras.version}">
	<div class="head"><h2>${names}</h2><span class="status ${phaseOf(job.status)}">${job.status}</span>
	<time datetime="${created}">${created.replace('T', ' ').slice(0, 19)} UTC</time></div>
	<div class="id">${job.id}</div>
	<div class="chips">!${chipsOf(job)}</div>!${reason}!${notes}!${takesOf(job, extras)}</article>`;
}
