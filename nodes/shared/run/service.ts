import { Client } from '../../../api/client';
import {
	SUBMISSIONS_PER_MINUTE_ENTERPRISE,
	SUBMISSIONS_PER_MINUTE_STANDARD,
} from '../../../api/contract';
import type { CredentialFields } from '../../../api/credential';
import { systemTime } from '../../../api/time';
import type { ServiceContext } from '../../../api/serviceContext';
import { openTransport } from '../../../api/transport';
import { type RateLimits, paceOf, rateLimitsFor } from '../../../waiting/rateLimit';
import { valueOrThrow } from '../errors/errors';
import { FailFast } from './failFast';

/** The service as a run of a node uses it. */
export interface Service {
	readonly client: Client;
	/** The rate limits that the key shares in this process. */
	readonly rateLimits: RateLimits;
	/** Scheme, host and port of the service. */
	readonly origin: string;
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
	return { client, rateLimits, origin, failFast: new FailFast() };
}

function submissionsPerMinute({ plan, submissionsPerMinute: custom }: CredentialFields): number {
	switch (plan) {
		case 'enterprise':
			return SUBMISSIONS_PER_MINUTE_ENTERPRISE;
		case 'custom':
			return wholeNumber(custom) ?? SUBMISSIONS_PER_MINUTE_STANDARD;
		default:
			return SUBMISSIONS_PER_MINUTE_STANDARD;
	}
}

/** A whole number of at least 1, also from text; undefined for anything else. */
function wholeNumber(value: unknown): number | undefined {
	const number = Math.floor(Number(value));
	return number >= 1 && Number.isSafeInteger(number) ? number : undefined;
}
