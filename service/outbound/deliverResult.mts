import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import type { AxiosResponse } from 'axios';

import { urlWithoutSecrets } from '../shared/log.mts';
import { mediaTypeOf } from '../shared/mediaTypes.mts';
import { EditFailure } from '../shared/failures.mts';
import type { FetchTools } from './fetchSource.mts';
import { discard, outboundTrouble } from './httpClient.mts';
import { deliveryHeaders } from './signedHeaders.mts';

/**
 * PUTs the finished file to the client's storage (api.md#delivery) and returns the signed URL without
 * its query. A retry is safe: it puts the same bytes in the same place.
 * @param signedUrl the client's pre-signed PUT URL.
 * @throws EditFailure, or TransientTrouble when a retry may succeed.
 */
export async function deliver(
	filePath: string,
	signedUrl: string,
	{ client, timeoutSeconds }: Pick<FetchTools, 'client' | 'timeoutSeconds'>,
	signal: AbortSignal,
): Promise<string> {
	const target = urlWithoutSecrets(signedUrl);
	const what = `Delivering to ${target}`;
	const { size } = await stat(filePath);
	const timeLimit = AbortSignal.timeout(timeoutSeconds * 1000);
	// The client reports its errors, unless it has not begun to read or has ended.
	const body = createReadStream(filePath).on('error', () => undefined);
	try {
		const { data }: AxiosResponse<unknown> = await client.put(signedUrl, body, {
			// Only its status counts: what else the server says may have no end.
			responseType: 'stream',
			// To follow redirects, the client would buffer the whole file in memory.
			maxRedirects: 0,
			signal: AbortSignal.any([signal, timeLimit]),
			headers: deliveryHeaders(signedUrl, mediaTypeOf(filePath), size),
		});
		discard(data);
	} catch (error) {
		signal.throwIfAborted();
		if (timeLimit.aborted) throw new EditFailure(`${what}: took longer than ${timeoutSeconds} s`);
		throw outboundTrouble(error, what);
	} finally {
		body.destroy();
	}
	return target;
}
