import type { z } from 'zod';

import { type Outcome, failed, success } from './outcome';
import type { RequestClass } from './retry';
import type { Hider } from './secrets';
import { isCutJson, isWebPage, shownText } from './text';
import type { ServiceRequest } from './transport';

/**
 * An answer that ends in the middle is a connection that broke off. That of a paid request is quoted,
 * because the edit's id may stand in it.
 */
export function refuseCut(
	answer: Outcome<unknown>,
	requestClass: RequestClass,
	{ method, path }: ServiceRequest,
	hider: Hider,
): Outcome<unknown> {
	if (!answer.ok || typeof answer.value !== 'string' || !isCutJson(answer.value)) return answer;
	const quoted = requestClass === 'submit' ? `: ${shownText(hider.text(answer.value))}` : '';
	const said = `the answer ends in the middle${quoted}`;
	return failed({ kind: 'broken', request: `${method} ${path}`, said });
}

/** The body of a 2xx answer as the interface promises it; what is quoted of another one has no secrets. */
export function readBody<Schema extends z.ZodTypeAny>(
	schema: Schema,
	{ method, path }: ServiceRequest,
	body: unknown,
	hider: Hider,
): Outcome<z.output<Schema>> {
	const parsed = schema.safeParse(body);
	if (parsed.success) return success(parsed.data as z.output<Schema>);
	// A finding may quote the body and cut it, so it is found again in a body without secrets.
	const shown = schema.safeParse(hider.value(body));
	return failed({
		kind: 'unreadable',
		request: `${method} ${path}`,
		said: hider.text(issueText(shown.success ? parsed.error : shown.error)),
		isWebPage: typeof body === 'string' && isWebPage(body),
	});
}

/** Zod's findings as `field: message`, the request's wrapper left out. */
export function issueText(error: z.ZodError): string {
	return error.issues
		.map(({ path, message }) => {
			const field = (path[0] === 'input' ? path.slice(1) : path).join('.');
			return field ? `'${field}': ${message}` : message;
		})
		.join('; ');
}
