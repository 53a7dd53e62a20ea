import { createHash, timingSafeEqual } from 'node:crypto';

/** Knows the accepted API keys without keeping them: only their hashes. */
export class Accounts {
	readonly #keyHashes: Buffer[];

	constructor(apiKeys: readonly string[]) {
		this.#keyHashes = apiKeys.map(hashOf);
	}

	/**
	 * The owner a key stands for, or undefined when it is not accepted. Takes the same time whichever
	 * key is right and however much of it is.
	 */
	ownerOf(apiKey: string): string | undefined {
		const given = hashOf(apiKey);
		const matches = this.#keyHashes.filter((accepted) => timingSafeEqual(accepted, given));
		return matches.length > 0 ? given.toString('hex') : undefined;
	}
}

function hashOf(apiKey: string): Buffer {
	return createHash('sha256').update(apiKey).digest();
}
