import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import type { AxiosInstance } from 'axios';

import { urlWithoutSecrets } from '../shared/log.mts';
import { mediaTypeOf } from '../shared/mediaTypes.mts';
import { EditFailure } from '../shared/failures.mts';
import { outboundTrouble } from './httpClient.mts';
import { deliveryHeaders } from './signedHeaders.mts';

/** A finished file and the client's storage to deliver it to (api.md#delivery). */
export interface Delivery {
	filePath: string;
	/** The client's pre-signed PUT URL. */
	signedUrl: string;
	client: AxiosInstance;
	/** Real seconds. */
	timeoutSeconds: number;
}

/**
 * PUTs the finished file to the client's storage and returns the signed URL without its query. A
 * retry is safe: it puts the same bytes in the same place.
 * @throws EditFailure, or TransientTrouble when a retry may succeed.
 */
export async function deliver(delivery: Delivery, signal: AbortSignal): Promise<string> {
	const { filePath, signedUrl, client, timeoutSeconds } = delivery;
	const target = urlWithoutSecrets(signedUrl);
	const what = `Delivering to ${target}`;
	const { size } = await stat(filePath);
	const timeLimit = AbortSignal.timeout(timeoutSeconds * 1000);
	const body = createReadStream(filePath);
	try {
		await client.put(signedUrl, body, {
			// To follow redirects, the client would buffer the whole file in memory.
			maxRedirects: 0,
			signal: AbortSignal.any([signal, timeLimit]),
			headers: deliveryHeaders(signedUrl, mediaTypeOf(filePath), size),
		});
	} catch (error) {
		signal.throwIfAborted();
		if (timeLimit.aborted) throw new EditFailure(`${what}: took longer than ${timeoutSeconds} s`);
		throw outboundTrouble(error, what);
	} finally {
		body.destroy();
	}
	return target;
}
