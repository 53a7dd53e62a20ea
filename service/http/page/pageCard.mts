import { html as markup } from 'ghtml';

import { rangesOf } from '../../engine/timeline.mts';
import { EDIT_CONFIG_DEFAULTS, KIND_NAMES } from '../../shared/contract.mts';
import { type EditOutcome, waitsForReview, type StoredEdit } from '../../store/edit.mts';
import type { Waveform } from '../../engine/export/waveform.mts';
import type { Outlines } from './outlines.mts';
import { clock } from '../review/page/client/times.mts';
import { REVIEW_WORDS } from './pageRow.mts';
import { waveformSvg } from './waveformSvg.mts';

/** What an edit's card shows in addition to what is stored of it. */
export interface CardExtras {
	outlines: Outlines | undefined;
	/** Returns a link to a part (`edited`, `source-1`, `texts`); undefined if the page may not show it. */
	linkTo: (part: string) => string | undefined;
	/** The signed link to the review; undefined if there is none, or the page may not show it. */
	review: string | undefined;
}

/** Most tracks drawn for one edit; more would make the page long. */
const TRACKS_SHOWN = 4;

/** Returns the settings that differ from the defaults, in words. Hides the value of `signed_url`. */
function settingsOf({ request, outcome }: StoredEdit): string[] {
	const defaults: Readonly<Record<string, unknown>> = EDIT_CONFIG_DEFAULTS;
	const entries = Object.entries(request.config).filter(([key, value]) => value !== defaults[key]);
	const chips = entries.map(([key, value]) => {
		const words = key.replaceAll('_', ' ').replace('lufs', 'LUFS').replace('url', 'URL');
		if (key === 'signed_url' || value === true) return words;
		return `${words}: ${value === false ? 'off' : String(value)}`;
	});
	if (request.kind === 'check') return ['check for lost words'];
	if (request.kind === 'noise') return ['noise reduction', ...chips];
	return request.config.remove_noise && outcome ? ['noise removed', ...chips] : chips;
}

/** Returns the counts of a result that are not 0, in words: "7 long silences (9.3 s)". */
function countsOf({ statistics, silencesSavedSeconds: saved }: EditOutcome): string[] {
	return Object.entries(KIND_NAMES).flatMap(([key, name]) => {
		const count = statistics[key] ?? 0;
		const seconds = key === 'DEADAIR' && saved > 0 ? ` (${saved.toFixed(1)} s)` : '';
		return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}${seconds}`];
	});
}

/** Returns a loudness with one decimal and a real minus. */
function lufs(value: number): string {
	return value.toFixed(1).replace('-', '−');
}

/** Returns loudness, counts and settings as chips. */
function chipsOf(edit: StoredEdit): string {
	const { outcome } = edit;
	const loudness = outcome?.loudness && [
		markup`<strong title="Loudness before and after leveling">${lufs(outcome.loudness.beforeLufs)} → ${lufs(outcome.loudness.afterLufs)} LUFS</strong>`,
	];
	const chips = [
		...(loudness ?? []),
		...(outcome ? countsOf(outcome) : []).map((count) => markup`<strong>${count}</strong>`),
		...settingsOf(edit).map((setting) => markup`${setting}`),
	];
	return chips.map((chip) => markup`<span class="chip">!${chip}</span>`).join('');
}

function player(link: string | undefined, label: string): string {
	if (link === undefined) return '';
	return markup`<audio controls preload="none" aria-label="${label}" src="${link}"></audio>`;
}

/** Returns the name and length shown next to a waveform. */
function caption(what: string, { durationSeconds }: Waveform): string {
	return markup`<div class="what">${what}<span>${clock(durationSeconds)}</span></div>`;
}

/**
 * Returns the stretches that were cut from the source, in seconds, as JSON. The page's script reads them, to go
 * on at the same place when it switches between before and after.
 */
export function cutTimes({ mode, edits }: Outlines, durationSeconds: number): string {
	const cuts = mode === 'cut' ? rangesOf(edits, 1_000, Math.round(durationSeconds * 1_000)) : [];
	return JSON.stringify(cuts.map(({ start, end }) => [start / 1_000, end / 1_000]));
}

/** Returns where something was put into the edited recording, and how much later what follows is, as JSON. */
export function kitTimes({ kit = [] }: Pick<Outlines, 'kit'>): string {
	return JSON.stringify(kit.map(({ atSeconds, addedSeconds }) => [atSeconds, addedSeconds]));
}

/** Returns before and after of every track, with players. */
function takesOf(edit: StoredEdit, { outlines, linkTo }: CardExtras): string {
	const fileName = edit.outcome?.fileName ?? '';
	// Several tracks come as one ZIP, which no player can play.
	const isArchive = fileName.endsWith('.zip');
	const editedPlayer = isArchive ? '' : player(linkTo('edited'), `After: ${fileName}`);
	if (outlines === undefined)
		return editedPlayer && markup`<div class="take">!${editedPlayer}</div>`;
	const { tracks } = outlines;
	const scaleSeconds = Math.max(...tracks.map(({ source }) => source.durationSeconds));
	const takes = tracks.slice(0, TRACKS_SHOWN).map(({ name, source, edited }, index) => {
		const isLast = index === Math.min(tracks.length, TRACKS_SHOWN) - 1;
		return markup`<div class="take" data-cuts="${cutTimes(outlines, source.durationSeconds)}" data-kit="${kitTimes(outlines)}">
			!${tracks.length > 1 ? markup`<div class="name">${name}</div>` : ''}
			!${caption('Before', source)}
			!${waveformSvg(source, scaleSeconds, `Before: ${name}`, outlines)}
			!${player(linkTo(`source-${index + 1}`), `Before: ${name}`)}
			!${caption('After', edited)}
			<div class="after">!${waveformSvg(edited, scaleSeconds, `After: ${name}`)}</div>
			!${isLast ? editedPlayer : ''}
		</div>`;
	});
	const more = tracks.length - takes.length;
	return takes.join('') + (more > 0 ? markup`<p class="note">and ${more} more tracks</p>` : '');
}

/** Returns the links to an edit's files and to its review, one after another. */
function linksOf({ linkTo, review }: CardExtras, reviewWords: string): string {
	const [edited, texts] = [linkTo('edited'), linkTo('texts')];
	return [
		edited === undefined ? '' : markup`<a href="${edited}" download>Download</a>`,
		texts === undefined ? '' : markup`<a href="${texts}" target="_blank" rel="noopener">Texts</a>`,
		review === undefined ? '' : markup`<a href="${review}">${reviewWords}</a>`,
	].join('');
}

/** Returns the card of one edit, which its opened row shows. */
export function cardOf(edit: StoredEdit, extras: CardExtras): string {
	const reviewWords = waitsForReview(edit) ? REVIEW_WORDS : 'Change the cuts';
	const notes = (edit.outcome?.notes ?? []).map((note) => markup`<p class="note">${note}</p>`);
	const takes = takesOf(edit, extras);
	const keys = takes.includes('<audio')
		? '<p class="note">Space plays, B switches between before and after</p>'
		: '';
	return markup`<div class="card"><div class="id">${edit.id}</div>
	<div class="chips">!${chipsOf(edit)}!${linksOf(extras, reviewWords)}</div>
	!${notes}!${takes}!${keys}</div>`;
}
