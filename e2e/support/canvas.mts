import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { ROOT } from './places.mts';

/** Where the README's pictures are stored. */
const PICTURES = join(ROOT, 'docs', 'images');

/** Long enough for the editor to draw a change. */
const DRAWN_MS = 900;

/** The parts used of the page's audio element, whose types exist only in the browser. */
interface Player {
	readonly currentTime: number;
	readonly duration: number;
	play(): Promise<void>;
}

/** A person at the canvas of one workflow. */
export class Canvas {
	constructor(readonly page: Page) {}

	async open(workflowId: string): Promise<void> {
		await this.page.goto(`/workflow/${workflowId}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
		await this.settled();
	}

	/** Waits until the page is still enough for a picture. */
	async settled(): Promise<void> {
		await this.page.waitForTimeout(DRAWN_MS);
	}

	/** Saves a picture of the page, or of a part of it. */
	async photograph(name: string, part?: Locator): Promise<void> {
		await mkdir(PICTURES, { recursive: true });
		await this.settled();
		await (part ?? this.page).screenshot({ path: join(PICTURES, `${name}.png`) });
	}

	/** Opens the node panel and searches. @returns the names it finds */
	async search(text: string): Promise<string[]> {
		const bar = this.page.getByTestId('node-creator-search-bar');
		if (!(await bar.isVisible())) {
			await this.page.getByTestId('node-creator-plus-button').click();
		}
		await bar.fill(text);
		await this.settled();
		return await this.page.getByTestId('item-iterator-item').allInnerTexts();
	}

	/** Adds a node after the last one and leaves its form open. */
	async add(displayName: string): Promise<void> {
		const plus = this.page.getByTestId('canvas-handle-plus').last();
		await plus.click();
		await this.search(displayName);
		await this.page
			.getByTestId('item-iterator-item')
			.filter({ hasText: displayName })
			.first()
			.click();
		await this.settled();
		const action = this.page.getByTestId('item-iterator-item').first();
		if (!(await this.form.isVisible()) && (await action.isVisible())) await action.click();
		await this.form.waitFor();
	}

	get form(): Locator {
		return this.page.getByTestId('ndv');
	}

	async openForm(node: string): Promise<void> {
		await this.node(node).dblclick();
		await this.form.waitFor();
		await this.settled();
	}

	async closeForm(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.form.waitFor({ state: 'hidden' });
	}

	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async tidy(): Promise<void> {
		await this.page.getByTestId('tidy-up-button').click();
		await this.settled();
	}

	/** Presses "Execute workflow". */
	async run(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').first().click();
	}

	/** Plays the recording that the form shows, for a moment. */
	async listen(): Promise<{ playedSeconds: number; wholeSeconds: number }> {
		const player = this.form.locator('audio');
		await player.evaluate(async (element: Player) => {
			await element.play();
		});
		await this.settled();
		return await player.evaluate(({ currentTime, duration }: Player) => ({
			playedSeconds: currentTime,
			wholeSeconds: duration,
		}));
	}
}
