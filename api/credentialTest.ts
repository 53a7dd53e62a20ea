import type { ICredentialTestFunctions, IN8nHttpFullResponse } from 'n8n-workflow';

import { type Account, accountSchema } from './contract';
import { isRecord } from './contract/tolerance';
import type { UsableBaseUrl } from './credential';
import { type Result, failed, success } from './failure';
import { uncharged } from './networkFailure';
import { MAX_ANSWER_BYTES, readBody } from './readBody';
import { readResponse, statusFailure } from './responseBody';
import { CALL_TIMEOUT_MS } from './retry';
import { hiderOf } from './secrets';
import { NO_LONGER_NEEDED, systemTime } from './time';

/** The only helper that n8n gives to a test of a credential. */
type Request = ICredentialTestFunctions['helpers']['request'];

const REQUEST = 'GET /v1/account';

/**
 * Asks for the account once, as a test of the credential. Follows no redirects, which would carry the key to another
 * host, and hides the key in what the host says.
 */
export async function askForAccount(
	request: Request,
	{ origin, root }: UsableBaseUrl,
	apiKey: string,
): Promise<Result<Account>> {
	const target = { request: REQUEST, origin, target: 'service' } as const;
	const hider = hiderOf([apiKey]);
	const isOver = new AbortController();
	let close = () => {};
	const ask = async (): Promise<Result<Account>> => {
		const response = (await request({
			method: 'GET',
			uri: `${root}/v1/account`,
			headers: { Accept: 'application/json', 'X-API-Key': apiKey },
			followRedirect: false,
			resolveWithFullResponse: true,
			simple: false,
			useStream: true,
			timeout: CALL_TIMEOUT_MS,
		})) as IN8nHttpFullResponse;
		const { body, statusCode } = response;
		close = () => {
			if (isRecord(body) && typeof body.destroy === 'function') body.destroy();
		};
		if (statusCode >= 300) return failed(await statusFailure(target, response, hider));
		const read = await readBody(body, MAX_ANSWER_BYTES);
		if (read.tooMuch !== undefined) {
			return failed({ ...target, kind: 'tooLarge', said: `it has ${read.tooMuch}` });
		}
		const reading = { schema: accountSchema, request: REQUEST, hider, quotesCut: false };
		return await readResponse(reading, success(read.body));
	};
	// The helper's own limit ends with the headers.
	const tooLate = async (): Promise<Result<Account>> => {
		await systemTime.sleep(CALL_TIMEOUT_MS, isOver.signal);
		return failed({ ...target, kind: 'timeout' });
	};
	try {
		return await Promise.race([ask(), tooLate()]);
	} catch (error) {
		return failed(uncharged(target, error, hider));
	} finally {
		isOver.abort(NO_LONGER_NEEDED);
		close();
	}
}
