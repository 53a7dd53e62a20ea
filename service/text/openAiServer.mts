import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

import axios, { type AxiosInstance } from 'axios';

import { EditFailure } from '../shared/failures.mts';
import { outboundTrouble } from '../outbound/httpClient.mts';
import { urlWithoutSecrets } from '../shared/log.mts';
import type { OpenAiServerSettings } from '../shared/settings.mts';

/** Time limit of a request, real milliseconds: a slow machine needs it for ten minutes of speech. */
const TIMEOUT_MS = 30 * 60_000;

/** Largest response read, in bytes; texts are far smaller. */
const LONGEST_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * One endpoint of an OpenAI-compatible server. Who starts the service chose it, not who sends
 * edits: so it may be on this machine, unlike what edits fetch.
 */
export class OpenAiServer {
	readonly #client: AxiosInstance;

	constructor(private readonly settings: OpenAiServerSettings) {
		this.#client = axios.create({
			proxy: false,
			// The key goes to this server and nowhere else.
			maxRedirects: 0,
			httpAgent: new HttpAgent({ keepAlive: false }),
			httpsAgent: new HttpsAgent({ keepAlive: false }),
			timeout: TIMEOUT_MS,
			maxBodyLength: Infinity,
			maxContentLength: LONGEST_ANSWER_BYTES,
			headers: settings.key === undefined ? {} : { Authorization: `Bearer ${settings.key}` },
		});
	}

	get model(): string {
		return this.settings.model;
	}

	/** The server as the log may show it. */
	get shownUrl(): string {
		return urlWithoutSecrets(this.settings.url);
	}

	/**
	 * POSTs to a path below the URL and returns the JSON of the answer.
	 * @throws EditFailure, or TransientTrouble when a later try may succeed (network, 408, 429, 5xx).
	 */
	async post(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
		const what = `${this.shownUrl}${path}`;
		try {
			const { data } = await this.#client.post<unknown>(this.settings.url + path, body, { signal });
			if (typeof data !== 'object') throw new EditFailure(`${what}: the answer is no JSON`);
			return data;
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof EditFailure) throw error;
			throw outboundTrouble(error, what);
		}
	}
}
