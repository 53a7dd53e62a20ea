import { appendFileSync } from 'node:fs';

import { type Child, startChild } from '../../testkit/process/children.mts';
import { freePort } from '../../testkit/process/freePort.ts';
import { eventually } from '../../testkit/time/eventually.mts';
import { IS_OLDEST, N8N_PROGRAM, NODE_PROGRAM } from './places.mts';
import type { Sandbox } from './sandbox.mts';

/** How to start a process of n8n. */
export interface N8nOptions {
	/** The name of its log. */
	readonly name?: string;
	/** The command, with its flags. */
	readonly command?: readonly string[];
	/** Its port; any free one by default. */
	readonly port?: number;
	/** Variables to add to the quiet ones. */
	readonly env?: Readonly<Record<string, string>>;
}

const LOOPBACK = '127.0.0.1';

/** Keeps n8n from contacting other hosts, and makes it log what it does. */
export const QUIET = {
	N8N_SECURE_COOKIE: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,agents',
	N8N_ENCRYPTION_KEY: 'e2e-only-key-0123456789abcdef',
	N8N_LOG_LEVEL: 'info',
	DB_TYPE: 'sqlite',
	GENERIC_TIMEZONE: 'UTC',
	TZ: 'UTC',
	LANG: 'C.UTF-8',
};

/** What the oldest n8n needs: it exits if this names a module that came later. */
const FOR_OLDEST = { N8N_DISABLED_MODULES: '' };

/** Starts n8n in the sandbox and waits until it is ready; the sandbox stops it. */
export async function startN8n(sandbox: Sandbox, options: N8nOptions = {}) {
	const { name = 'n8n', command = ['start'], env = {} } = options;
	const port = options.port ?? (await freePort());
	const log = sandbox.logOf(name);
	appendFileSync(log, `--- ${command.join(' ')} on port ${port}\n`);
	const child = startChild(NODE_PROGRAM, [N8N_PROGRAM, ...command], {
		log,
		cwd: sandbox.home,
		env: {
			...QUIET,
			PATH: process.env['PATH'],
			// n8n lets workflows read certain folders in the user's home.
			HOME: sandbox.home,
			N8N_USER_FOLDER: sandbox.home,
			N8N_HOST: LOOPBACK,
			N8N_LISTEN_ADDRESS: LOOPBACK,
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			// The port where a worker reports that it is ready.
			QUEUE_HEALTH_CHECK_PORT: String(port),
			...(IS_OLDEST && FOR_OLDEST),
			...env,
		},
	});
	sandbox.onEnd(async () => {
		await child.stop();
	});
	return { ...child, url: await untilReady(child, port, log), port, log };
}

/** Waits until an n8n that listens at this port is ready. @returns its URL */
export async function untilReady(child: Child, port: number, log: string): Promise<string> {
	const url = `http://${LOOPBACK}:${port}`;
	await eventually(`n8n is ready, see ${log}`, async () => {
		if (child.hasEnded()) throw new Error(`n8n ended at its start, see ${log}`);
		return (await answers(url)) ? true : undefined;
	});
	return url;
}

async function answers(url: string): Promise<boolean> {
	try {
		const signal = AbortSignal.timeout(2_000);
		const headers = { connection: 'close' };
		return (await fetch(`${url}/healthz/readiness`, { signal, headers })).ok;
	} catch {
		return false;
	}
}
