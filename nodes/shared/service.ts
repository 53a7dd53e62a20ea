import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { Client } from '../../api/client';
import {
	SUBMISSIONS_PER_MINUTE_ENTERPRISE,
	SUBMISSIONS_PER_MINUTE_STANDARD,
} from '../../api/contract';
import { type FailureContext, toNodeError } from '../../api/errors';
import type { Result } from '../../api/failure';
import { systemTime } from '../../api/time';
import { CREDENTIAL_NAME, sendsKeyInTheClear } from '../../api/credential';
import { type ServiceContext, openTransport, withSignal } from '../../api/transport';
import { type RateLimits, paceOf, rateLimitsFor } from '../../waiting/rateLimit';
import { addHint } from './hints';
import { sayPause } from './progress';

/** The service, ready to be asked: the client, and the rate limits its key shares in this process. */
export interface Service {
	readonly client: Client;
	readonly rateLimits: RateLimits;
	/** Scheme, host and port it is reached at. */
	readonly origin: string;
}

/**
 * The service with the node's credential. It is the first item's for all items: n8n authenticates every
 * call with that one, so an address from another item's credential would be sent a key not meant for it.
 */
export async function openService(context: ServiceContext): Promise<Service> {
	let service = opened.get(context);
	if (service === undefined) {
		service = connect(context);
		opened.set(context, service);
	}
	return await service;
}

/** By the context of a node run, so that its items share what was read for the first. */
const opened = new WeakMap<ServiceContext, Promise<Service>>();

async function connect(context: ServiceContext): Promise<Service> {
	const door = await openTransport(context);
	const transport = valueOrThrow(door, context.getNode(), { doing: 'use the credential' });
	const fields = await context.getCredentials<PlanFields>(CREDENTIAL_NAME, 0);
	const workers = wholeNumber(fields.numberOfWorkers) ?? 1;
	const perMinute = submissionsPerMinute(fields);
	const rateLimits = rateLimitsFor(fields.apiKey.trim(), transport.root, perMinute, workers);
	warnOfClearText(context, transport.origin);
	const client = new Client(transport, {
		time: systemTime,
		submissionPace: paceOf(rateLimits.submissions, systemTime, (waitMs) =>
			sayPause(context, waitMs),
		),
		statusPace: paceOf(rateLimits.statusCalls, systemTime),
	});
	return { client, rateLimits, origin: transport.origin };
}

/**
 * The service for requests after the execution was stopped: `signal` ends them, not the execution's
 * signal.
 */
export async function openServiceUntil(
	context: IExecuteFunctions,
	signal: AbortSignal,
): Promise<Service> {
	return await openService(withSignal(context, signal));
}

/** The credential's fields that say what the service allows its key. */
interface PlanFields {
	apiKey: string;
	plan?: 'standard' | 'enterprise' | 'custom';
	submissionsPerMinute?: number;
	numberOfWorkers?: number;
}

function warnOfClearText(context: ServiceContext, origin: string): void {
	if (!sendsKeyInTheClear(origin)) return;
	if (!('addExecutionHints' in context)) return;
	addHint(
		context,
		`The API key travels unencrypted to ${origin}. Use https:// in the 'Base URL' of the credential.`,
	);
}

function submissionsPerMinute({ plan, submissionsPerMinute: custom }: PlanFields): number {
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

/** The value of an outcome, or the error that n8n shows for its failure. */
export function valueOrThrow<T>(outcome: Result<T>, node: INode, context: FailureContext): T {
	if (outcome.ok) return outcome.value;
	throw toNodeError(node, outcome.failure, context);
}
