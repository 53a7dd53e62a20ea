/** An entry of n8n's memory about a recording: that its submission began (two facts), or which ID its edit has. */
const ENTRY = /^(edited|open|id):(\w+)/;

/**
 * The submissions under way: from the moment when n8n's memory knows that one begins, until it knows the ID of
 * its edit, or that there is none. A kill in between leaves the recording uncertain.
 */
export class Submissions {
	/** How many were remembered at the same time before their requests left, at the most. */
	maxUnsent = 0;

	/** The keys of the recordings. */
	private readonly begun = new Set<string>();

	private inFlight = 0;
	private unstored = 0;

	get underWay(): number {
		return this.begun.size;
	}

	/** What a dead process was doing has no end; the next one begins anew. */
	died(): void {
		this.begun.clear();
		this.inFlight = 0;
		this.unstored = 0;
	}

	sent(): void {
		this.inFlight += 1;
	}

	answered(): void {
		// The answer to a process that died meanwhile.
		if (this.inFlight === 0) return;
		this.inFlight -= 1;
		this.unstored += 1;
	}

	recorded(entries: readonly string[]): void {
		const withId = keysIn(entries, 'id');
		for (const key of withId) this.stored(key);
		// A question whether an edit is open records only that fact.
		const open = keysIn(entries, 'open');
		for (const key of keysIn(entries, 'edited')) {
			if (open.has(key) && !withId.has(key)) this.begun.add(key);
		}
		this.maxUnsent = Math.max(this.maxUnsent, this.begun.size - this.inFlight - this.unstored);
	}

	removed(entries: readonly string[]): void {
		for (const key of keysIn(entries, 'open')) this.stored(key);
	}

	private stored(key: string): void {
		if (this.begun.delete(key)) this.unstored -= 1;
	}
}

function keysIn(entries: readonly string[], kind: string): Set<string> {
	const found = entries.map((entry) => ENTRY.exec(entry)).filter((match) => match?.[1] === kind);
	return new Set(found.map((match) => match?.[2] ?? ''));
}
