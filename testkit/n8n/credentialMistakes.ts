import { randomUUID } from 'crypto';

import { freePort } from '../process/freePort';
import { type Reply, type Script, startScriptedService } from '../service/fake/scriptedService';
import { startTlsHost, trust } from '../service/tlsHosts';
import { startEngine } from './n8nEngine';
import type { ServiceAccess } from './chain';

/** What a person enters in the credential. */
export interface Entered {
	readonly baseUrl?: string;
	readonly apiKey?: string;
}

/** A mistake, and what the sentence about it says: what is wrong, and what to do. */
export interface Mistake {
	/** The base URL and the key. */
	readonly entered: ServiceAccess;
	readonly says: RegExp;
}

/** The key that the service of the trial knows. */
const KNOWN_KEY = randomUUID();

const PAGE = { body: '<!DOCTYPE html><title>n8n.io - Workflow Automation</title>' };

const account: Script = ({ path, headers }): Reply => {
	if (path !== '/v1/account') return { status: 404, body: { detail: 'Not Found' } };
	if (headers['x-api-key'] !== KNOWN_KEY) return { status: 401, body: { detail: 'Unknown key' } };
	return { body: { credit: { total: 1_000, subscription: 0, payg: 1_000 }, meta: {} } };
};

/** Runs `work` beside a service and other hosts, with the mistakes that people make about them. */
export async function withMistakes<T>(
	work: (mistakes: Readonly<Record<string, Mistake>>) => Promise<T>,
): Promise<T> {
	await startEngine();
	const service = await startScriptedService(account);
	const down = await startScriptedService(() => ({ status: 503 }));
	const site = await startScriptedService(() => ({ body: '{"shop":"open"}' }));
	const n8n = await startScriptedService(() => ({
		...PAGE,
		headers: { 'Content-Type': 'text/html' },
	}));
	const expired = await startTlsHost({ years: [2001, 2002] });
	const distrust = trust(expired.certificate);
	const port = await freePort();
	try {
		return await work(
			mistakesAbout(service.url, {
				down: down.url,
				site: site.url,
				n8n: n8n.url,
				expired: expired.url,
				port,
			}),
		);
	} finally {
		distrust();
		for (const { stop } of [service, down, site, n8n, expired]) await stop();
	}
}

interface Others {
	readonly down: string;
	readonly site: string;
	readonly n8n: string;
	readonly expired: string;
	/** Nothing listens there. */
	readonly port: number;
}

const at = (url: string): ServiceAccess => ({ url, apiKey: KNOWN_KEY });

const mistakesAbout = (url: string, { down, site, n8n, expired, port }: Others) =>
	({
		'no scheme': {
			entered: at(url.replace('http://', '')),
			says: /'Base URL' must begin with https:\/\/ or http:\/\//,
		},
		'wrong port': {
			entered: at(`http://127.0.0.2:${port}`),
			says: /nothing is listening at that address\. Check the host and the port/,
		},
		'https on http': {
			entered: at(url.replace('http:', 'https:')),
			says: /does not speak https.*Change https:\/\/ to http:\/\//,
		},
		'unknown host': {
			entered: at('https://no-such-host.invalid'),
			says: /no host with that name\. Check the host/,
		},
		'wrong key': {
			entered: { url, apiKey: randomUUID() },
			says: /does not know this API key\. Copy it again/,
		},
		'empty key': {
			entered: { url, apiKey: '  ' },
			says: /'API Key' is empty\. Create a key/,
		},
		'other site': {
			entered: at(site),
			says: /no audio editing service at http:.*Enter the root URL of the service's API/,
		},
		"n8n's own address": {
			entered: at(n8n),
			says: /no audio editing service at http:.*not that of .* n8n/,
		},
		'expired TLS': {
			entered: at(expired),
			says: /certificate has expired\. Whoever runs the service has to install/,
		},
		'path too long': {
			entered: at(`${url}/v1/account`),
			says: /no audio editing service at .*\/v1\/account\. Enter only http:.* without a path/,
		},
		blanks: {
			entered: at(url.replace(':', ': ')),
			says: /'Base URL' contains a blank; enter the URL without it/,
		},
		'localhost in Docker': {
			entered: at(`http://localhost:${port}`),
			says: /in Docker, localhost is n8n's own container: enter the name of the service's container/,
		},
		'service down': {
			entered: at(down),
			says: /temporarily unavailable\. .*Try again in a minute/,
		},
	}) satisfies Readonly<Record<string, Mistake>>;
