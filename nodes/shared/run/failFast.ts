import { type RequestFailure, type Result, failed } from '../../../api/failure';

/** After this many items in a row without a connection, the service is down. */
const UNREACHED_IN_A_ROW = 2;

/**
 * The same if the service was reached before in this run. It may be a short outage, which several items
 * meet at once, and it must not end the rest of the batch.
 */
const UNREACHED_IN_A_ROW_LATER = 10;

/** A failure and the item that met it first. */
interface Cause {
	readonly failure: RequestFailure;
	readonly itemIndex: number;
}

/**
 * Ends a batch early on a failure that every item would meet: a refused key, or an unreachable service.
 * Use it only for requests before anything is charged; a wait outlives outages.
 */
export class FailFast {
	private cause?: Cause;

	/** The last failures in a row without a connection, all to one origin. */
	private unreached: Cause[] = [];

	private wasReached = false;

	/** The failure that every further item would meet; undefined while there is none. */
	verdict(): Result<never> | undefined {
		if (this.cause === undefined) return undefined;
		const { failure, itemIndex: sameAsItem } = this.cause;
		return failed({ ...failure, wasSent: false, sameAsItem });
	}

	/** Learns from an item's result, and returns it. */
	learn<T>(itemIndex: number, result: Result<T>): Result<T> {
		if (result.ok) this.reached();
		else this.note({ failure: result.failure, itemIndex });
		return result;
	}

	private reached(): void {
		this.unreached = [];
		this.wasReached = true;
	}

	private unreachedAllowed(): number {
		return this.wasReached ? UNREACHED_IN_A_ROW_LATER : UNREACHED_IN_A_ROW;
	}

	private note(met: Cause): void {
		const { kind, origin } = met.failure;
		if (kind !== 'unreachable') this.reached();
		else {
			this.unreached = this.unreached.filter(({ failure }) => failure.origin === origin);
			this.unreached.push(met);
		}
		if (isRefusedKey(met.failure)) this.cause ??= met;
		else if (this.unreached.length >= this.unreachedAllowed()) this.cause ??= this.unreached[0];
	}
}

/** 403 may be about one item, and a 401 from a signed URL is not about the key. */
export function isRefusedKey({ status, target }: RequestFailure): boolean {
	return status === 401 && target !== 'link';
}
