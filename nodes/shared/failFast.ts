import { type Result, type RequestFailure, failed } from '../../api/failure';

/** After so many items in a row that reached nobody, the service is down and not one item unlucky. */
const UNREACHED_IN_A_ROW = 2;

/** A failure and the item that met it first. */
interface Cause {
	readonly failure: RequestFailure;
	readonly itemIndex: number;
}

/**
 * Spares the rest of a batch a failure that every item would meet: a refused key, or a service that
 * nobody reaches. For requests before anything is charged only; a wait outlives outages.
 */
export class FailFast {
	private cause?: Cause;

	/** The last failures in a row without a connection, all to one origin. */
	private unreached: Cause[] = [];

	/**
	 * Sends an item, or returns the known cause without sending it.
	 *
	 * @param send repeats the request itself as often as makes sense
	 */
	async attempt<T>(itemIndex: number, send: () => Promise<Result<T>>): Promise<Result<T>> {
		if (this.cause !== undefined) {
			const { failure, itemIndex: sameAsItem } = this.cause;
			return failed({ ...failure, wasSent: false, sameAsItem });
		}
		const outcome = await send();
		if (outcome.ok) this.unreached = [];
		else this.note({ failure: outcome.failure, itemIndex });
		return outcome;
	}

	private note(met: Cause): void {
		const { kind, origin } = met.failure;
		if (kind !== 'unreachable') this.unreached = [];
		else {
			this.unreached = this.unreached.filter(({ failure }) => failure.origin === origin);
			this.unreached.push(met);
		}
		if (isRefusedKey(met.failure)) this.cause ??= met;
		else if (this.unreached.length >= UNREACHED_IN_A_ROW) this.cause ??= this.unreached[0];
	}
}

/** Not 403, which may be about one item; and a signed link that answers 401 says nothing of the key. */
export function isRefusedKey({ status, target }: RequestFailure): boolean {
	return status === 401 && target !== 'link';
}
