import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

import axios, { type AxiosInstance } from 'axios';

import { EditFailure, messageOf, TransientTrouble } from '../shared/failures.mts';
import { outboundTrouble } from '../outbound/httpClient.mts';
import { urlWithoutSecrets } from '../shared/log.mts';
import type { OpenAiServerSettings } from '../shared/settings.mts';

/** Request timeout, real milliseconds: a slow machine needs it for ten minutes of speech. */
const TIMEOUT_MS = 30 * 60_000;

/** The server sent more than the request can need. Another answer would hardly be shorter. */
export class AnswerTooLong extends EditFailure {}

/**
 * One endpoint of an OpenAI-compatible server. The operator of the service chose it, not a client,
 * so unlike the URLs in edits it may be on this machine.
 */
export class OpenAiServer {
	private readonly client: AxiosInstance;

	constructor(private readonly settings: OpenAiServerSettings) {
		this.client = axios.create({
			proxy: false,
			// A redirect would leak the key to another server.
			maxRedirects: 0,
			httpAgent: new HttpAgent({ keepAlive: false }),
			httpsAgent: new HttpsAgent({ keepAlive: false }),
			timeout: TIMEOUT_MS,
			maxBodyLength: Infinity,
			headers: settings.key === undefined ? {} : { Authorization: `Bearer ${settings.key}` },
		});
	}

	get model(): string {
		return this.settings.model;
	}

	/** For the start-up message and the log. */
	get name(): string {
		return `${this.shownUrl} (${this.model})`;
	}

	/** The URL without secrets, for the log. */
	get shownUrl(): string {
		return urlWithoutSecrets(this.settings.url);
	}

	/**
	 * POSTs to a path below the URL and returns the JSON response.
	 *
	 * @param maxAnswerBytes reads no more of the response.
	 * @throws AnswerTooLong, EditFailure, or TransientTrouble when a retry may succeed (network, 408, 429, 5xx).
	 */
	async post(
		path: string,
		body: unknown,
		maxAnswerBytes: number,
		signal: AbortSignal,
	): Promise<unknown> {
		const what = `${this.shownUrl}${path}`;
		// The client's own limit only counts while nothing arrives.
		const timeLimit = AbortSignal.timeout(TIMEOUT_MS);
		const stop = AbortSignal.any([signal, timeLimit]);
		try {
			const url = this.settings.url + path;
			const options = { signal: stop, maxContentLength: maxAnswerBytes };
			const { data } = await this.client.post<unknown>(url, body, options);
			if (typeof data !== 'object') throw new EditFailure(`${what}: the answer is not JSON`);
			return data;
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof EditFailure) throw error;
			if (/^maxContentLength size of \d+ exceeded$/.test(messageOf(error))) {
				throw new AnswerTooLong(`${what}: the answer is too long (over ${maxAnswerBytes} bytes)`);
			}
			if (timeLimit.aborted) throw new TransientTrouble(`${what}: no answer in time`);
			throw outboundTrouble(error, what);
		}
	}
}
