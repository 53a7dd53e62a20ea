import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { Client } from '../../testkit/service/client.mts';
import { SILENCES, talk } from '../../testkit/service/recordings.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { openSandbox, startService } from '../support/sandbox.mts';
import { launchBrowser } from '../support/pages/browser.mts';
import { openPage, seriousFindings } from '../support/pages/review.mts';

const sandbox = await openSandbox('list');
const service = await startService(sandbox, '--status-calls-per-minute', '100000');
const browser = await launchBrowser(sandbox);
const client = new Client(service.url, service.apiKey);

const LONG_NAME = `Gespräch ${'über alles '.repeat(12)}.wav`;
await client.finish(talk, SILENCES, 'Interview.wav');
await client.finish(talk, SILENCES, LONG_NAME);
await client.run(Buffer.alloc(0), SILENCES, 'Empty.wav');

const desktop = () => openPage(browser, service.url, { width: 1280 });

/** Waits until the page has so many of an element. */
async function has(page: Page, selector: string, count: number): Promise<void> {
	const isSo = async () => (await page.locator(selector).count()) === count;
	await eventually(`the page has ${count} of ${selector}`, isSo);
}

/** Checks which rows the page has, once it has as many. */
async function shows(page: Page, ...names: readonly RegExp[]): Promise<void> {
	await has(page, 'article', names.length);
	const rows = await page.locator('article').allInnerTexts();
	for (const [place, name] of names.entries()) assert.match(rows[place], name);
}

test('a person opens a row with the keyboard, hears it, and closes it', async () => {
	const page = await desktop();
	const row = page.getByRole('link', { name: 'Interview.wav' });
	assert.equal(await page.locator('audio').count(), 0);
	await row.focus();
	await page.keyboard.press('Enter');
	await page.locator('audio').first().waitFor();
	assert.equal(await row.getAttribute('aria-expanded'), 'true');
	// The page is renewed, and the focus stays where it was.
	assert.equal(await page.locator(':focus').innerText(), 'Interview.wav');
	await page.evaluate('document.querySelector("audio").play()');
	await page.evaluate('document.querySelector("audio").isTheSame = true');
	await page.getByRole('link', { name: 'Gespräch' }).press('Enter');
	await has(page, 'audio', 4);
	// The player that plays was not replaced, nor stopped.
	const heard = '[...document.querySelectorAll("audio")].at(-2)';
	assert.equal(await page.evaluate(`${heard}.isTheSame && !${heard}.paused`), true);
	await row.press('Enter');
	await has(page, 'audio', 2);
	assert.match(page.url(), /\?open=[^,]+#/);
});

test('a person finds an edit while typing, in a state, and without a keyboard shortcut in the way', async () => {
	const page = await desktop();
	await page.getByRole('link', { name: 'Interview.wav' }).click();
	await page.locator('audio').first().waitFor();
	const search = page.getByRole('searchbox', { name: 'Search file names' });
	await search.pressSequentially('gesprach b');
	await search.press('Backspace');
	await search.press('Backspace');
	await shows(page, /Gespräch/);
	assert.equal(await search.inputValue(), 'gesprach');
	assert.equal(
		await page.locator('#facts').innerText(),
		'1 edit with “gesprach” in a file name: 1 done',
	);
	await search.fill('wav');
	await shows(page, /Empty/, /Gespräch/, /Interview/);
	await page.getByRole('link', { name: '2 done' }).click();
	await shows(page, /Gespräch/, /Interview/);
	await search.fill('inter');
	await shows(page, /Interview/);
	assert.match(page.url(), /\?q=inter&state=succeeded$/);
});

test("a proxy's page for signing in leaves the list as it is", async () => {
	const page = await desktop();
	const list =
		'document.querySelector("#facts")?.innerText + document.querySelector("main").innerText';
	const before = await page.evaluate(list);
	const html = { contentType: 'text/html', body: '<main>Sign in</main>' };
	await page.route(service.url, async (route) => {
		await route.fulfill(html);
	});
	const asked = async () => await page.waitForRequest((request) => request.url() === page.url());
	await asked();
	// The second time, the first answer was read.
	await asked();
	assert.equal(await page.evaluate(list), before);
});

test('the page finds and opens without its script', async () => {
	const context = await browser.newContext({ javaScriptEnabled: false });
	const page = await context.newPage();
	await page.goto(service.url);
	await page.getByRole('searchbox').fill('gespräch');
	await page.getByRole('button', { name: 'Search' }).click();
	await page.waitForURL(/q=gespr/);
	assert.equal(await page.locator('article').count(), 1);
	await page.getByRole('link', { name: 'Gespräch' }).click();
	assert.equal(await page.locator('audio').count(), 2);
	await page.getByRole('link', { name: 'Gespräch' }).click();
	assert.equal(await page.locator('audio').count(), 0);
});

test('axe finds nothing serious, and nothing leaves the page to the side', async () => {
	const found: string[] = [];
	for (const width of [1280, 390]) {
		for (const colorScheme of ['light', 'dark'] as const) {
			const page = await openPage(browser, service.url, { width, colorScheme });
			for (const open of ['Empty.wav', 'Interview.wav', 'Gespräch']) {
				const row = page.getByRole('link', { name: open });
				await row.click();
				await page.locator('.toggle[aria-expanded=true]', { hasText: open }).waitFor();
				found.push(...(await seriousFindings(page)));
			}
			const wide = await page.evaluate('document.documentElement.scrollWidth');
			assert.equal(wide, width);
			await page.getByRole('searchbox').fill('nothing');
			await page.getByText('No edit has a file with “nothing” in its name.').waitFor();
			found.push(...(await seriousFindings(page)));
		}
	}
	assert.deepEqual(found, []);
});
