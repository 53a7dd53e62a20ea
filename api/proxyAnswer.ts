import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { type RequestFailure, type RequestTarget, isRecord } from './failure';
import { causesOf } from './networkFailure';
import { statusFailure } from './responseBody';
import type { Hider } from './secrets';

/** Statuses after which a service may have acted, and which a proxy sends that cannot connect to it. */
const OF_SERVICE_OR_PROXY = [302, 303, 407, 408, 500, 501, 502, 503, 504, 508, 509, 511];

/**
 * The statuses for which n8n's helper is to throw, because only its error shows the connection. A POST may
 * be charged, and so must not count as sent if a proxy did not connect.
 */
export function thrownStatuses({ method, url }: IHttpRequestOptions): number[] {
	return method === 'POST' && /^https:/i.test(url) ? OF_SERVICE_OR_PROXY : [];
}

/**
 * Describes the response in an error that n8n's helper threw for its status; undefined for any other error.
 * A response without TLS is that of a proxy, which did not connect to the host.
 */
export async function thrownFailure(
	target: RequestTarget,
	error: unknown,
	hider: Hider,
): Promise<RequestFailure | undefined> {
	for (const { request, response } of causesOf(error)) {
		if (!isRecord(response) || typeof response.status !== 'number') continue;
		const { data: body, headers, status: statusCode } = response;
		const said = `n8n's proxy answered ${statusCode}`;
		return isWithoutTls(request)
			? { ...target, kind: 'unreachable', wasSent: false, said }
			: await statusFailure(target, { body, headers, statusCode } as IN8nHttpFullResponse, hider);
	}
	return undefined;
}

function isWithoutTls(request: unknown): boolean {
	const socket = isRecord(request) ? request.socket : undefined;
	return isRecord(socket) && socket.encrypted !== true;
}
