import { createHash, timingSafeEqual } from 'node:crypto';

/** The plans of the API (api.md#limits). */
export type Plan = 'standard' | 'enterprise';

/** An accepted API key. */
export interface ApiKey {
	key: string;
	plan: Plan;
}

/** The account that a request belongs to. */
export interface Account {
	/** The hash of the API key; never the key. */
	ownerId: string;
	plan: Plan;
}

/** The accepted API keys, stored only as hashes. */
export class Accounts {
	private readonly accepted: ReadonlyArray<{ hash: Buffer; plan: Plan }>;

	constructor(apiKeys: readonly ApiKey[]) {
		this.accepted = apiKeys.map(({ key, plan }) => ({ hash: hashOf(key), plan }));
	}

	/**
	 * Returns the account of a key, or undefined if the key is not accepted. The time it takes reveals
	 * nothing about the accepted keys.
	 */
	accountOf(apiKey: string): Account | undefined {
		const given = hashOf(apiKey);
		const match = this.accepted.filter(({ hash }) => timingSafeEqual(hash, given)).at(0);
		return match && { ownerId: given.toString('hex'), plan: match.plan };
	}
}

function hashOf(apiKey: string): Buffer {
	return createHash('sha256').update(apiKey).digest();
}
