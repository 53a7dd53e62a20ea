/** The words for answers that have no helpful ones. */
const WORDS: Readonly<Partial<Record<number, string>>> = {
	0: 'The service cannot be reached. The page tries again in a few seconds.',
	403: 'This link has expired or is incomplete. Ask for a new one.',
};

const UNKNOWN = 'The service could not answer. Try again in a minute.';

/** Why the service did not do something, in words for a visitor. Status 0 if it did not answer. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		body = '',
	) {
		super(WORDS[status] ?? messageIn(body));
	}

	/** Whether there is no review, or no permission for it. */
	get isEnd(): boolean {
		return this.status === 403 || this.status === 404;
	}

	/** Whether the same request may succeed later. */
	get isPassing(): boolean {
		return this.status === 0 || this.status === 429 || this.status >= 500;
	}
}

/** Returns what an error says; an exceeded rate limit says it one level deeper. */
function messageIn(body: string): string {
	try {
		const { message, error } = JSON.parse(body) as {
			message?: string;
			error?: { message: string };
		};
		return message ?? error?.message ?? UNKNOWN;
	} catch {
		return UNKNOWN;
	}
}
