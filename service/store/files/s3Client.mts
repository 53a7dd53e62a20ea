import { pipeline, Readable } from 'node:stream';

import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';

import { codeOf, isDiskFull, TransientTrouble } from '../../shared/failures.mts';
import { SizeLimit } from '../../shared/sizeLimit.mts';
import type { S3Place } from '../../shared/settings.mts';

/** Real milliseconds to wait for a connection, and for the next bytes on one. */
const CONNECTION_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 60_000;

/** Real milliseconds for a request with a part of a file, and for its whole answer. */
const MAX_REQUEST_MS = 600_000;

/** Bytes of any answer but a stored file. A list of a thousand objects is the longest. */
const MAX_ANSWER_BYTES = 16_777_216;

/** For other vendors' servers, which usually accept any region. */
const OTHER_MAKERS_REGION = 'us-east-1';

/**
 * Creates the client. It finds credentials as all AWS tools do: in the environment, in a profile, or
 * in the machine's role.
 */
export function createS3Client({ endpoint, region }: S3Place): S3Client {
	const known = region ?? (endpoint === undefined ? undefined : OTHER_MAKERS_REGION);
	const client = new S3Client({
		...(known === undefined ? {} : { region: known }),
		// Only AWS is sure to have a host name for each bucket.
		...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
		// A signed PUT must not require a checksum, and older servers do not know the SDK's trailers.
		requestChecksumCalculation: 'WHEN_REQUIRED',
		responseChecksumValidation: 'WHEN_REQUIRED',
		requestHandler: {
			connectionTimeout: CONNECTION_TIMEOUT_MS,
			socketTimeout: SILENCE_TIMEOUT_MS,
			requestTimeout: MAX_REQUEST_MS,
			throwOnRequestTimeout: true,
		},
	});
	limitAnswers(client);
	return client;
}

/** Ends answers that are too long or take too long. Stored files have limits of their own (`s3Transfer.mts`). */
function limitAnswers(client: S3Client): void {
	client.middlewareStack.add(
		(next, { commandName }) =>
			async (request) => {
				const result = await next(request);
				const { response } = result;
				if (commandName !== 'GetObjectCommand' && hasBody(response)) {
					response.body = limited(response.body, MAX_ANSWER_BYTES);
				}
				return result;
			},
		{ step: 'deserialize', priority: 'low' },
	);
}

function hasBody(response: unknown): response is { body: Readable } {
	return (
		typeof response === 'object' &&
		response !== null &&
		'body' in response &&
		response.body instanceof Readable
	);
}

/** Passes an answer on, up to a size and a time. */
export function limited(body: Readable, maxBytes: number): Readable {
	const limit = new SizeLimit({ bytes: maxBytes, refusal: `more than ${maxBytes} bytes` });
	const timer = setTimeout(
		() => limit.destroy(new Error('The answer took too long')),
		MAX_REQUEST_MS,
	);
	pipeline(body, limit, () => {
		clearTimeout(timer);
	});
	return limit;
}

/** Whether the error says that an object does not exist; false for a missing bucket. */
export function isMissingObject(error: unknown): boolean {
	return error instanceof S3ServiceException && /^(NoSuchKey|NotFound)$/.test(error.name);
}

/** Describes an error in our own words: the SDK's message may contain URLs and local paths. */
function reasonOf(error: unknown): string {
	if (error instanceof S3ServiceException) {
		const status = error.$metadata.httpStatusCode ?? 'no status';
		return `the object storage answered HTTP ${status} (${error.name})`;
	}
	const { name } = error instanceof Error ? error : { name: 'Error' };
	const known = [codeOf(error), name].find(
		(one) => /^[A-Z][A-Za-z0-9_]*$/.test(one) && one !== 'Error',
	);
	return `no usable response from the object storage${known === undefined ? '' : ` (${known})`}`;
}

/**
 * Converts an error of the object storage to TransientTrouble: even a refusal ends once someone
 * corrects the bucket's policy. Returns errors of this disk unchanged.
 * @param what what failed, such as "Storing the result".
 */
export function s3Trouble(error: unknown, what: string): unknown {
	if (isDiskFull(error) || (error instanceof Error && 'path' in error)) return error;
	return new TransientTrouble(`${what} failed: ${reasonOf(error)}`);
}
