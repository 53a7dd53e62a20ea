/** An entry of n8n's memory about a recording: that its submission began (two facts), or which ID its edit has. */
const ENTRY = /^(edited|open|id):(\w+)/;

/**
 * The submissions under way: from the moment when n8n's memory knows that one begins, until it knows the ID of
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
		// A question whether an edit is open records only that fact.
		const open = keysIn(entries, 'open');
		for (const key of keysIn(entries, 'edited')) {
			if (open.has(key) && !withId.has(key)) this.begun.add(key);
		}
	}

	recorded(entries: readonly string[]): void {
		for (const key of keysIn(entries, 'id')) this.begun.delete(key);
	}

	removed(entries: readonly string[]): void {
		for (const key of keysIn(entries, 'open')) this.begun.delete(key);
	}
}

function keysIn(entries: readonly string[], kind: string): Set<string> {
	const found = entries.map((entry) => ENTRY.exec(entry)).filter((match) => match?.[1] === kind);
	return new Set(found.map((match) => match?.[2] ?? ''));
}
