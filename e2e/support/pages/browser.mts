import { type Browser, chromium, selectors } from 'playwright-core';

import { PATIENCE_MS } from '../../../testkit/time/eventually.mts';
import { OWNER } from './editor.mts';
import type { Sandbox } from '../sandbox.mts';

selectors.setTestIdAttribute('data-test-id');

const ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-dev-shm-usage',
	// Blocks other hosts; a playwright route would switch off the browser's cache.
	'--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
];

/** Starts Debian's chromium (or what E2E_CHROMIUM names), which finds no other host than this machine. */
export async function launchBrowser(sandbox: Sandbox): Promise<Browser> {
	const executablePath = process.env['E2E_CHROMIUM'] ?? '/usr/bin/chromium';
	const browser = await chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
	return sandbox.use(browser);
}

/** Opens a browser and logs in to n8n. Blocks all requests to other hosts than this machine, and lists them. */
export async function openBrowser(
	sandbox: Sandbox,
	baseURL: string,
	{ width = 1440, height = 900, density = 1 } = {},
) {
	const browser = await launchBrowser(sandbox);
	const context = await browser.newContext({
		baseURL,
		viewport: { width, height },
		deviceScaleFactor: density,
		locale: 'en-US',
		timezoneId: 'UTC',
		reducedMotion: 'reduce',
	});
	// Playwright's 30 s are over before a busy machine has loaded the editor.
	context.setDefaultTimeout(PATIENCE_MS);
	const outside: string[] = [];
	context.on('request', (request) => {
		const { protocol, hostname } = new URL(request.url());
		const isHere = ['127.0.0.1', 'localhost'].includes(hostname);
		if (protocol.startsWith('http') && !isHere) outside.push(request.url());
	});
	const page = await context.newPage();
	await page.goto('/signin');
	await page.locator('input[name="emailOrLdapLoginId"]').fill(OWNER.email);
	await page.locator('input[name="password"]').fill(OWNER.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
	return { page, outside };
}
