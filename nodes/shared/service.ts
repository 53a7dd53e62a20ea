import type { IExecuteFunctions } from 'n8n-workflow';

import { Client } from '../../api/client';
import {
	SUBMISSIONS_PER_MINUTE_ENTERPRISE,
	SUBMISSIONS_PER_MINUTE_STANDARD,
} from '../../api/contract';
import { type CredentialFields, sendsKeyInTheClear } from '../../api/credential';
import { systemTime } from '../../api/time';
import { type ServiceContext, openTransport, withSignal } from '../../api/transport';
import { type RateLimits, rateLimitsFor, paceOf } from '../../waiting/rateLimit';
import { valueOrThrow } from './errors';
import { FailFast } from './failFast';
import { addHint } from './hints';
import { sayPause } from './progress';

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

/** By the context of a node run, so that all its items share one service. */
const opened = new WeakMap<ServiceContext, Promise<Service>>();

/**
 * Opens the service with the node's credential. All items use the first item's: n8n authenticates
 * every call with it, so an address from another item's credential would get a key not meant for it.
 */
export async function openService(context: ServiceContext): Promise<Service> {
	const service = opened.get(context) ?? connect(context);
	opened.set(context, service);
	return await service;
}

/** By the context of a node run. */
const givingUp = new WeakMap<ServiceContext, AbortController>();

/** Abort it to begin no further try of any request of a node run; those under way go on. */
export function giveUpOf(context: ServiceContext): AbortController {
	const giveUp = givingUp.get(context) ?? new AbortController();
	givingUp.set(context, giveUp);
	return giveUp;
}

async function connect(context: ServiceContext, isForLater = false): Promise<Service> {
	const doing = 'use the credential';
	const opened = await openTransport(context, isForLater);
	const transport = valueOrThrow(opened, context.getNode(), { doing });
	const { apiKey, credential, origin, root } = transport;
	const workers = wholeNumber(credential.numberOfWorkers) ?? 1;
	const perMinute = submissionsPerMinute(credential);
	const rateLimits = rateLimitsFor(apiKey, root, perMinute, workers);
	warnOfClearText(context, origin);
	const client = new Client(transport, {
		time: systemTime,
		submissionPace: paceOf(rateLimits.submissions, systemTime, (waitMs) =>
			sayPause(context, waitMs),
		),
		statusPace: paceOf(rateLimits.statusCalls, systemTime),
		givesUp: giveUpOf(context).signal,
	});
	return { client, rateLimits, origin, failFast: new FailFast() };
}

/** The service for requests after Stop: `signal` ends them instead of the execution's signal. */
export async function openServiceUntil(
	context: IExecuteFunctions,
	signal: AbortSignal,
): Promise<Service> {
	return await openService(withSignal(context, signal));
}

/** The service for requests after the end of the node. Open it before that. */
export async function openServiceForLater(context: IExecuteFunctions): Promise<Service> {
	return await connect(context, true);
}

function warnOfClearText(context: ServiceContext, origin: string): void {
	if (!sendsKeyInTheClear(origin)) return;
	if (!('addExecutionHints' in context)) return;
	addHint(
		context,
		`The API key travels unencrypted to ${origin}. Use https:// in the 'Base URL' of the credential.`,
	);
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
