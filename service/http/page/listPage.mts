import { html as markup } from 'ghtml';

import { EDIT_STATES, type EditCounts, type EditState } from '../../store/editLists.mts';
import { MAX_SEARCH_CHARACTERS } from '../../store/fileNameSearch.mts';
import { addressOf, type ListQuery } from './listQuery.mts';
import { LIST_STYLE } from './listStyle.mts';
import { PAGE_SCRIPT } from './pageScript.mts';
import { PAGE_STYLE } from './pageStyle.mts';

/** How many edits a page shows. */
export const EDITS_SHOWN = 50;

/** The style sheet of the page. */
export const STYLE = PAGE_STYLE + LIST_STYLE;

/** What an edit is doing, in a visitor's words. */
const STATE_WORDS: Readonly<Record<EditState, string>> = {
	review: 'to review',
	running: 'running',
	pending: 'waiting',
	succeeded: 'done',
	failed: 'failed',
};

/** What the page shows of the edits. */
export interface Shown {
	rows: readonly string[];
	/** Of the edits that are searched for, or of all. */
	counts: EditCounts;
	query: ListQuery;
}

/** @param id by which the page's script finds the link again that had the focus */
function link(address: string, words: string, id: string, isHere = false): string {
	const current = isHere ? ' aria-current="page"' : '';
	return markup`<a id="${id}" href="${address}"!${current}>${words}</a>`;
}

function totalOf(counts: EditCounts): number {
	return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** "298 edits: 290 done, 8 failed", each with a link to those. */
function summaryOf({ counts, query: { q, state } }: Shown): string {
	const total = totalOf(counts);
	if (total === 0 && q === '') return '';
	const edits = total === 1 ? '1 edit' : `${total} edits`;
	const all = link(addressOf({ q }), edits, 'all', state === undefined);
	const states = EDIT_STATES.filter((one) => counts[one] > 0 || one === state);
	const parts = states.map((one) =>
		link(addressOf({ q, state: one }), `${counts[one]} ${STATE_WORDS[one]}`, one, one === state),
	);
	const named = q === '' ? '' : markup` with “${q}” in a file name`;
	return `${all}${named}${parts.length > 0 ? ': ' : ''}${parts.join(', ')}`;
}

/** Links to the newer and older edits. */
function pagesOf({ counts, query }: Shown): string {
	const { page, q, state } = query;
	const count = state === undefined ? totalOf(counts) : counts[state];
	const pages = Math.max(1, Math.ceil(count / EDITS_SHOWN));
	const at = (other: number) => addressOf({ q, state, page: other });
	const newer = page > 1 ? link(at(Math.min(page - 1, pages)), 'Newer edits', 'newer') : '';
	const older = page < pages ? link(at(page + 1), 'Older edits', 'older') : '';
	return [newer, pages > 1 ? `Page ${page} of ${pages}` : '', older].filter(Boolean).join(' · ');
}

/** Says why there are no rows. */
function emptyOf({ counts, query: { q, state, page } }: Shown): string {
	if (totalOf(counts) > 0) return '<p class="empty">No edits here.</p>';
	if (q !== '') return markup`<p class="empty">No edit has a file with “${q}” in its name.</p>`;
	if (state !== undefined || page > 1) return '<p class="empty">No edits here.</p>';
	return '<p class="empty" id="none">No edits yet. Each new edit appears here.</p>';
}

/** A form that works without the script, too. The page's other parts are renewed around it. */
function searchOf({ q, state }: ListQuery): string {
	const inState =
		state === undefined ? '' : markup`<input type="hidden" name="state" value="${state}">`;
	return markup`<form role="search" action="/"><input type="search" name="q" value="${q}" maxlength="${MAX_SEARCH_CHARACTERS}"
aria-label="Search file names" placeholder="Search file names" autocomplete="off" spellcheck="false">!${inState}<button>Search</button></form>`;
}

/** Returns the whole page. `markup` escapes inserted values, except after an exclamation mark. */
export function listPage(shown: Shown, nowMs: number): string {
	const now = new Date(nowMs).toISOString().replace('T', ' ').slice(0, 19);
	const list = shown.rows.length === 0 ? emptyOf(shown) : shown.rows.join('\n');
	return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Local audio editing service</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>!${STYLE}</style></head>
<body><header><div><h1>Local audio editing service</h1><p id="facts">!${summaryOf(shown)}</p></div>!${searchOf(shown.query)}</header>
<main>!${list}</main>
<footer><p id="pages">!${pagesOf(shown)}</p><p id="time">Service time ${now} UTC</p></footer><script>!${PAGE_SCRIPT}</script></body></html>`;
}
