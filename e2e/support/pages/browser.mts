import { chromium, type Page, selectors } from 'playwright-core';

import { PATIENCE_MS } from '../../../test/support/eventually.mts';
import { OWNER } from './editor.mts';
import type { Sandbox } from '../sandbox.mts';

selectors.setTestIdAttribute('data-test-id');

/** A browser's page on n8n's editor, logged in. */
export interface OpenPage {
	readonly page: Page;
	/** Requests to hosts other than this machine. All of them are blocked. */
	readonly outside: readonly string[];
}

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

/** How large the page is. */
export interface Size {
	readonly width: number;
	readonly height: number;
	/** Pixels of a picture for each CSS pixel. */
	readonly density?: number;
}

/** Opens Debian's chromium (or what E2E_CHROMIUM names) and logs in. */
export async function openBrowser(
	sandbox: Sandbox,
	baseURL: string,
	{ width, height, density = 1 }: Size = { width: 1440, height: 900 },
): Promise<OpenPage> {
	const executablePath = process.env['E2E_CHROMIUM'] ?? '/usr/bin/chromium';
	const browser = await chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
	sandbox.onEnd(async () => {
		await browser.close();
	});
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
