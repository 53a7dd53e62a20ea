import { createHash, timingSafeEqual } from 'node:crypto';

/** The plans of the interface, spec "Limits". */
export type Plan = 'standard' | 'enterprise';

/** An API key that is accepted. */
export interface ApiKey {
	key: string;
	plan: Plan;
}

/** Whose request it is. */
export interface Account {
	/** The hash of the API key; never the key. */
	ownerId: string;
	plan: Plan;
}

/** Knows the accepted API keys without keeping them: only their hashes. */
export class Accounts {
	readonly #accepted: ReadonlyArray<{ hash: Buffer; plan: Plan }>;

	constructor(apiKeys: readonly ApiKey[]) {
		this.#accepted = apiKeys.map(({ key, plan }) => ({ hash: hashOf(key), plan }));
	}

	/**
	 * The account of a key, or undefined when it is not accepted. Takes the same time whichever key
	 * is right and however much of it is.
	 */
	accountOf(apiKey: string): Account | undefined {
		const given = hashOf(apiKey);
		const match = this.#accepted.filter(({ hash }) => timingSafeEqual(hash, given)).at(0);
		return match && { ownerId: given.toString('hex'), plan: match.plan };
	}
}

function hashOf(apiKey: string): Buffer {
	return createHash('sha256').update(apiKey).digest();
}
