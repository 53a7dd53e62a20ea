import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Browser, Page } from 'playwright-core';

import { PATIENCE_MS } from '../../../testkit/time/eventually.mts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** More than anybody would press. */
const MAX_STOPS = 100;

/** How a person looks at a page. */
export interface Look {
	readonly width: number;
	readonly colorScheme?: 'light' | 'dark';
}

/** Opens a page of the service as somebody who is not logged in anywhere. */
export async function openPage(browser: Browser, url: string, look: Look): Promise<Page> {
	const { width, colorScheme = 'light' } = look;
	const viewport = { width, height: width > 600 ? 900 : 844 };
	const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
	context.setDefaultTimeout(PATIENCE_MS);
	const page = await context.newPage();
	await page.goto(url);
	return page;
}

/** A person at the page of a review, who uses only the keyboard. */
export class Reviewer {
	private constructor(readonly page: Page) {}

	static async at(browser: Browser, link: string, look: Look = { width: 1280 }): Promise<Reviewer> {
		const page = await openPage(browser, link, look);
		await page.getByRole('heading', { name: 'Cuts' }).waitFor();
		return new Reviewer(page);
	}

	async press(...keys: readonly string[]): Promise<void> {
		for (const key of keys) await this.page.keyboard.press(key);
	}

	/** Puts the sound of the next cut back, or that of the chosen one, and waits until that is saved. */
	async keep(keys: readonly string[] = ['j', 'x']): Promise<void> {
		const saved = this.page.waitForResponse((answer) => answer.request().method() === 'PUT');
		await this.press(...keys);
		await saved;
	}

	/** Returns what the page says about a problem, once it does. */
	async problem(): Promise<string> {
		return await this.page.locator('#problem:not(:empty)').innerText();
	}

	/** Presses Tab, from the top of the page, until this button has the focus. @returns what had it on the way */
	async tabTo(button: string): Promise<string[]> {
		await this.page.evaluate('document.activeElement.blur()');
		const stops: string[] = [];
		while (stops.at(-1) !== button && stops.length < MAX_STOPS) {
			await this.press('Tab');
			stops.push(await this.page.locator(':focus').innerText());
		}
		return stops;
	}

	async approve(name: string): Promise<void> {
		await this.press('Control+Enter');
		await this.page.getByRole('textbox', { name: 'Your name' }).waitFor();
		await this.page.keyboard.type(name);
		await this.press('Enter');
		await this.page.getByText(new RegExp(`approved by ${name}`, 'i')).waitFor();
	}

	/** Starts a new edit from a finished one. @returns the page of its review */
	async changeAgain(): Promise<Page> {
		const first = this.page.url();
		await this.page.getByRole('button', { name: 'Change the cuts' }).press('Enter');
		await this.page.waitForURL((url) => url.href !== first);
		await this.page.getByRole('heading', { name: 'Cuts' }).waitFor();
		return this.page;
	}
}

/** Returns what axe finds on a page that keeps people from using it. */
export async function seriousFindings(page: Page): Promise<string[]> {
	await page.evaluate(AXE);
	const found: unknown = await page.evaluate('axe.run().then(({ violations }) => violations)');
	assert.ok(Array.isArray(found));
	return (found as { id: string; impact: string; nodes: { target: string[] }[] }[])
		.filter(({ impact }) => impact === 'serious' || impact === 'critical')
		.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
