import send from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { mediaTypeOf } from '../shared/mediaTypes.mts';

/** Headers of what belongs to one client: no cache stores it, and no browser guesses what it is. */
export const PRIVATE = {
	'Cache-Control': 'private, no-store',
	'X-Content-Type-Options': 'nosniff',
} as const;

/** Answers with a file, or with the requested range of it. */
export async function sendFile(
	path: string,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const { statusCode, headers, stream } = await send(request.raw, encodeURI(path), {
		contentType: false,
		cacheControl: false,
		dotfiles: 'allow',
	});
	reply.code(statusCode).headers({
		...headers,
		'Content-Type': mediaTypeOf(path),
		...PRIVATE,
	});
	return await reply.send(stream);
}
