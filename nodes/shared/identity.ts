import { createHash } from 'crypto';

/*
 * How we recognise a recording or a request that we have seen before.
 */

/** Parameters with which storages sign a link; they change whenever it is signed. */
const SIGNATURE_PARAMETER =
	/^(x-(amz|goog)-.*|(aws|google)?access(key)?id|key-pair-id|policy|sig|signature|token|expires|se|sp|sr|st|sv|skoid|sktid|skt|ske|sks|skv)$/i;

/** A link without its signature, so that it stays the same when a storage signs it again. */
export function unsigned(link: string): string {
	const url = new URL(link);
	for (const name of [...url.searchParams.keys()]) {
		if (SIGNATURE_PARAMETER.test(name)) url.searchParams.delete(name);
	}
	return url.toString();
}

/** A hash of a value, because names and signed URLs must not be stored. */
export function hashOf(value: object): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
