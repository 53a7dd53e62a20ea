import send from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { mediaTypeOf } from '../shared/mediaTypes.mts';

/** Answers with a file, or with the requested range of it. Caches must not store it. */
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
		'Cache-Control': 'private, no-store',
		'X-Content-Type-Options': 'nosniff',
	});
	return await reply.send(stream);
}
