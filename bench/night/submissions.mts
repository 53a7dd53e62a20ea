/** An entry of n8n's memory: that a recording is open, in the last of two copies, or of the ID of its edit. */
const ENTRY = /^(?:(edit):(\w+)\/b\/1|(id):(\w+)\/.*)$/;

/**
 * The submissions under way: from the moment when n8n's memory learns that one begins, until it knows the ID of
 * its edit, or that there is none. A kill in between leaves the recording uncertain.
 */
export class Submissions {
	/** The keys of the recordings. */
	private readonly begun = new Set<string>();

	get underWay(): number {
		return this.begun.size;
	}

	/** What a dead process was doing has no end; the next one begins anew. */
	died(): void {
		this.begun.clear();
	}

	/** A write begins; a kill during it may leave its entries or not. */
	recording(entries: readonly string[]): void {
		const withId = keysIn(entries, 'id');
		for (const key of keysIn(entries, 'edit')) {
			// A question whether a recording is open asks whether it is edited, too.
			const isQuestion = entries.includes(`edit:${key}/b/2`);
			if (!isQuestion && !withId.has(key)) this.begun.add(key);
		}
	}

	recorded(entries: readonly string[]): void {
		for (const key of keysIn(entries, 'id')) this.begun.delete(key);
	}

	removed(entries: readonly string[]): void {
		for (const key of keysIn(entries, 'edit')) this.begun.delete(key);
	}
}

function keysIn(entries: readonly string[], kind: 'edit' | 'id'): Set<string> {
	const found = entries.map((entry) => ENTRY.exec(entry));
	return new Set(found.flatMap((match) => (kind === 'edit' ? match?.[2] : match?.[4]) ?? []));
}
