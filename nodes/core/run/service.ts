import { Client } from '../../../api/client';
import {
	SUBMISSIONS_PER_MINUTE_ENTERPRISE,
	SUBMISSIONS_PER_MINUTE_STANDARD,
} from '../../../api/contract';
import type { CredentialFields, ServiceContext } from '../../../api/credential';
import { type RequestFailure, type Result, failed } from '../../../api/failure';
import { systemTime } from '../../../api/time';
import { openTransport } from '../../../api/transport';
import { valueOrThrow } from '../errors/errors';
import { type RateLimits, paceOf, rateLimitsFor } from '../../../waiting/rateLimit';

/** The service as a run of a node uses it. */
export interface Service {
	readonly client: Client;
	/** The rate limits that the key shares in this process. */
	readonly rateLimits: RateLimits;
	/** Scheme, host and port of the service. */
	readonly origin: string;
	/** The base URL without a version, as people may paste it in several forms. */
	readonly root: string;
	/** What the items of this run have learned about the service. */
	readonly failFast: FailFast;
}

interface ServiceOptions {
	/** Whether the requests are sent after the end of the node. */
	readonly isForLater?: boolean;
	/** Aborted when no request is tried again. */
	readonly givesUp?: AbortSignal;
	/** Called when a submission has to wait for the rate limit. */
	readonly onPause?: (waitMs: number) => void;
}

/**
 * Opens the service with the node's credential.
 *
 * @throws NodeOperationError or NodeApiError if the credential cannot be used
 */
export async function openService(
	context: ServiceContext,
	{ isForLater, givesUp, onPause }: ServiceOptions = {},
): Promise<Service> {
	const doing = 'use the credential';
	const opened = await openTransport(context, isForLater);
	const transport = valueOrThrow(opened, context.getNode(), { doing });
	const { apiKey, credential, origin, root } = transport;
	const workers = wholeNumber(credential.numberOfWorkers) ?? 1;
	const perMinute = submissionsPerMinute(credential);
	const rateLimits = rateLimitsFor(apiKey, root, perMinute, workers);
	const client = new Client(transport, {
		time: systemTime,
		submissionPace: paceOf(rateLimits.submissions, systemTime, onPause),
		statusPace: paceOf(rateLimits.statusCalls, systemTime),
		givesUp,
	});
	return { client, rateLimits, origin, root, failFast: new FailFast() };
}

function submissionsPerMinute({ plan, submissionsPerMinute: custom }: CredentialFields): number {
	if (plan === 'enterprise') return SUBMISSIONS_PER_MINUTE_ENTERPRISE;
	const own = plan === 'custom' ? wholeNumber(custom) : undefined;
	return own ?? SUBMISSIONS_PER_MINUTE_STANDARD;
}

/** A whole number of at least 1, also from text; undefined for anything else. */
function wholeNumber(value: unknown): number | undefined {
	const number = Math.floor(Number(value));
	return number >= 1 && Number.isSafeInteger(number) ? number : undefined;
}

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
		if (result.ok || result.failure.kind !== 'unreachable') {
			this.unreached = [];
			this.wasReached = true;
		}
		if (!result.ok) this.note({ failure: result.failure, itemIndex });
		return result;
	}

	private note(met: Cause): void {
		if (isRefusedKey(met.failure)) this.cause ??= met;
		if (met.failure.kind !== 'unreachable') return;
		const isSameOrigin = ({ failure }: Cause) => failure.origin === met.failure.origin;
		this.unreached = [...this.unreached.filter(isSameOrigin), met];
		const most = this.wasReached ? UNREACHED_IN_A_ROW_LATER : UNREACHED_IN_A_ROW;
		if (this.unreached.length >= most) this.cause ??= this.unreached[0];
	}
}

/** 403 may be about one item, and a 401 from a signed URL is not about the key. */
export function isRefusedKey({ status, target }: RequestFailure): boolean {
	return status === 401 && target !== 'link';
}
