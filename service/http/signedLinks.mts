import { createHmac, timingSafeEqual } from 'node:crypto';

import { z } from 'zod';

import type { ServiceClock } from '../shared/clock.mts';
import { HttpProblem } from './protocol/problems.mts';

const signatureQuerySchema = z.object({
	/** Seconds since 1970 on the service's clock. */
	expires: z.string().regex(/^\d{1,15}$/),
	/** Hexadecimal HMAC-SHA256. */
	signature: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Signs and checks time-limited URLs that work without a key. The signature covers method, path and
 * expiry, so an upload link cannot download, and nobody can extend a link.
 */
export class SignedLinks {
	constructor(
		private readonly secret: string,
		private readonly clock: ServiceClock,
	) {}

	/** Returns the path with expiry and signature. @param path already percent-encoded. */
	sign(method: 'GET' | 'PUT', path: string, lifetimeMs: number): string {
		const expires = Math.ceil((this.clock.nowMs() + lifetimeMs) / 1000).toString();
		const signature = this.signatureOf(method, path, expires).toString('hex');
		return `${path}?expires=${expires}&signature=${signature}`;
	}

	/**
	 * Checks the signed URL of a request.
	 * @param requestUrl the raw path with query.
	 * @throws HttpProblem (403) when the signature is missing, wrong or expired.
	 */
	check(method: 'GET' | 'PUT', requestUrl: string, query: unknown): void {
		const [path = ''] = requestUrl.split('?');
		const parsed = signatureQuerySchema.safeParse(query);
		if (!parsed.success) throw new HttpProblem(403, 'This link is not signed');
		const { expires, signature } = parsed.data;
		const expected = this.signatureOf(method, path, expires);
		const given = Buffer.from(signature, 'hex');
		if (!timingSafeEqual(given, expected)) {
			throw new HttpProblem(403, "This link's signature is wrong");
		}
		if (Number(expires) * 1000 < this.clock.nowMs()) {
			throw new HttpProblem(403, 'This link has expired');
		}
	}

	private signatureOf(method: string, path: string, expires: string): Buffer {
		return createHmac('sha256', this.secret).update(`${method}\n${path}\n${expires}`).digest();
	}
}
