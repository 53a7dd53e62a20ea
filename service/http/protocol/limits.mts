import { z } from 'zod';

import type { EditRequest } from '../../shared/contract.mts';
import type { Log } from '../../shared/log.mts';
import type { Quota } from '../../store/quota.mts';
import { kitFilesOf } from '../editSources.mts';
import { HttpProblem, RateLimitProblem, ValidationProblem } from './problems.mts';
import { tooLong } from './validation.mts';

/** @throws HttpProblem (413) when a key's storage quota is used up; the log says so, for the operator. */
export async function refuseOverQuota(
	{ quota, log }: { quota: Quota; log: Log },
	ownerId: string,
): Promise<void> {
	if ((await quota.leftBytes(ownerId)) > 0) return;
	log('a request was refused: its API key has used up --quota-bytes');
	const what = `The storage quota of this API key (${quota.bytes} bytes) is used up`;
	throw new HttpProblem(413, `${what}: delete edits, or wait until their retention ends`);
}

/** Returns the refusal (429) of an edit whose key has too many unfinished ones. */
export function fullQueue(most: number): RateLimitProblem {
	const what = `${most} edits of this API key are unfinished`;
	return new RateLimitProblem(`${what}. Please try again later.`);
}

const filesSchema = z.object({ input: z.object({ files: z.array(z.unknown()) }) });

/** @throws ValidationProblem when a request names too many files, before any of them is checked. */
export function refuseManyTracks(body: unknown, most: number): void {
	const files = filesSchema.safeParse(body).data?.input.files ?? [];
	if (files.length <= most) return;
	throw new ValidationProblem([tooLong(['body', 'input', 'files'], most, files.length)]);
}

/** Longer than any signed URL, and than any file name. */
export const MAX_TEXT_CHARACTERS = 16_384;

/** @throws ValidationProblem when a request has a URL of more than 16,384 characters. */
export function refuseLongUrls({ input: { files, config, local } }: EditRequest): void {
	const urls = files.map((url, index) => ({ url, path: ['files', index] }));
	const kit = kitFilesOf(local ?? {}).map(({ url, key }) => ({ url, path: ['local', key] }));
	const target = { url: config?.signed_url ?? '', path: ['config', 'signed_url'] };
	refuseLong([...urls, target, ...kit]);
}

/** The same for URLs at places of `input`. */
export function refuseLong(
	urls: readonly { url: string; path: readonly (string | number)[] }[],
): void {
	for (const { url, path } of urls) {
		if (url.length <= MAX_TEXT_CHARACTERS) continue;
		const ctx = { max_length: MAX_TEXT_CHARACTERS };
		const msg = `URL should have at most ${MAX_TEXT_CHARACTERS} characters, not ${url.length}`;
		const loc = ['body', 'input', ...path];
		throw new ValidationProblem([{ type: 'url_too_long', loc, msg, input: null, ctx }]);
	}
}
