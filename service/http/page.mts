import type { FastifyInstance } from 'fastify';

import type { ServiceContext } from '../context.mts';
import { EDIT_CONFIG_DEFAULTS, phaseOf } from '../contract.mts';
import type { Job } from '../jobs/job.mts';
import { PAGE_STYLE } from './pageStyle.mts';

/** The newest edits that the page shows. */
const EDITS_SHOWN = 100;

const REFRESH_SECONDS = 3;

const ESCAPES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Text as HTML; everything a client chose goes through here. */
function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** The settings that differ from the defaults; of the storage URL only that there is one. */
function settingsOf({ request }: Job): string {
	const defaults: Readonly<Record<string, unknown>> = EDIT_CONFIG_DEFAULTS;
	const entries = Object.entries(request.config).filter(([key, value]) => value !== defaults[key]);
	const chips = entries.map(([key, value]) =>
		key === 'signed_url' ? 'signed_url given' : `${key} ${String(value)}`,
	);
	return chips.map((chip) => `<span class="chip">${escapeHtml(chip)}</span>`).join(' ');
}

/** Seconds as m:ss.s. */
function durationText(seconds: number): string {
	const tenths = Math.round(seconds * 10);
	const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
	return `${Math.floor(tenths / 600)}:${rest}`;
}

/** What came of an edit: lengths and counts, or why it failed. */
function outcomeText({ outcome, failureReason }: Job): string {
	if (failureReason !== null) return `<span class="reason">${escapeHtml(failureReason)}</span>`;
	if (outcome === null) return '';
	const before = durationText(outcome.durationBeforeSeconds);
	const after = durationText(outcome.durationAfterSeconds);
	const counts = Object.entries(outcome.statistics)
		.filter(([, count]) => count > 0)
		.map(([kind, count]) => `${escapeHtml(kind)} ${count}`);
	return [`${before} → ${after}`, ...counts].join('<br>');
}

/** One edit as a row of the table. */
function rowOf(job: Job): string {
	const created = new Date(job.createdAtMs).toISOString().replace('T', ' ').slice(0, 19);
	const names = job.request.sources.map(({ name }) => escapeHtml(name)).join('<br>');
	const kind = job.request.kind === 'noise' ? '<span class="chip">noise</span> ' : '';
	return `<tr>
		<td><strong>${names}</strong><br><code>${escapeHtml(job.id)}</code></td>
		<td><span class="status ${phaseOf(job.status)}">${job.status}</span></td>
		<td>${created}</td>
		<td>${kind}${settingsOf(job)}</td>
		<td>${outcomeText(job)}</td>
	</tr>`;
}

/** The whole page. */
function pageOf(jobs: readonly Job[], nowMs: number): string {
	const rows = jobs.map(rowOf).join('\n');
	const table = `<table><thead><tr><th>File</th><th>Status</th><th>Created (UTC)</th>
		<th>Settings</th><th>Outcome</th></tr></thead><tbody>${rows}</tbody></table>`;
	const now = new Date(nowMs).toISOString().replace('T', ' ').slice(0, 19);
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Local audio editing service</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${REFRESH_SECONDS}"><style>${PAGE_STYLE}</style></head>
<body><header><h1>Local audio editing service</h1><p>Service time ${now} UTC</p></header>
<main>${jobs.length === 0 ? '<p class="empty">No edits yet.</p>' : table}</main></body></html>`;
}

/** GET /, spec "Service endpoints": the edits of all keys, without anything secret. */
export function pageRoutes(routes: FastifyInstance, { room }: ServiceContext): void {
	routes.get('/', async (_request, reply) => {
		reply.headers({
			'Content-Type': 'text/html; charset=utf-8',
			'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
			'Cache-Control': 'no-store',
		});
		await reply.send(pageOf(room.store.newest(EDITS_SHOWN), room.clock.nowMs()));
	});
}
