import type { Seen } from './frontProxy.mts';

/** What the service answered clients about the edits. */
export class History {
	/** The ids that the service returned. */
	readonly accepted = new Set<string>();

	/** The paths of the results that a client was sent, by edit. */
	readonly results = new Map<string, Set<string>>();

	/** Edits that were something else again after their SUCCESS. */
	readonly takenBack = new Set<string>();

	/** Responses of each status from 400 up. */
	readonly refusals = new Map<number, number>();

	note({ method, path, status, text }: Seen): void {
		if (status >= 400) this.refusals.set(status, (this.refusals.get(status) ?? 0) + 1);
		if (status !== 200) return;
		if (method === 'POST' && path === '/v2/edits') {
			this.accepted.add((JSON.parse(text) as { id: string }).id);
		}
		const editId = /^\/v2\/edits\/([^/?]+)$/.exec(path)?.[1];
		if (method === 'GET' && editId !== undefined) this.noteStatus(editId, JSON.parse(text) as Edit);
	}

	private noteStatus(editId: string, { status, result }: Edit): void {
		const url = result?.download_url;
		if (status === 'SUCCESS' && typeof url === 'string') {
			const known = this.results.get(editId) ?? new Set();
			this.results.set(editId, known.add(new URL(url).pathname));
		} else if (this.results.has(editId)) {
			this.takenBack.add(editId);
		}
	}
}

interface Edit {
	readonly status: string;
	readonly result?: { readonly download_url?: unknown } | null;
}
