import type { FastifyReply } from 'fastify';

/** Headers of what only the person who asked for it may see, and which no other site learns. */
const HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	'Cache-Control': 'no-store',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * Sends a page that may only ask this service, and is in no frame.
 * @param sources what it may run and load: directives of its content security policy.
 * @param formAction where its forms may send what a visitor enters.
 */
export function sendPage(
	reply: FastifyReply,
	sources: readonly string[],
	markup: string,
	formAction: "'none'" | "'self'" = "'none'",
): FastifyReply {
	const others = ["connect-src 'self'", "base-uri 'none'", `form-action ${formAction}`];
	const policy = ["default-src 'none'", ...sources, ...others, "frame-ancestors 'none'"].join('; ');
	return reply.headers({ ...HEADERS, 'Content-Security-Policy': policy }).send(markup);
}
