import { readFile } from 'node:fs/promises';

import type { BrowserContext, Locator, Page } from 'playwright-core';

import { Canvas, centerOf } from './canvas.mts';

/** A file that a person has downloaded from the editor. */
export interface DownloadedFile {
	readonly name: string;
	readonly content: Buffer;
}

/**
 * A person who begins with an empty canvas and has read nothing: finds nodes by plain words and takes the first one,
 * and fields and options by their labels. Each step waits for what the page shows, not for a time.
 */
export class Producer {
	private constructor(
		readonly page: Page,
		private readonly canvas: Canvas,
	) {}

	/** Opens a new workflow in a tab of its own, and adds the trigger of "Execute workflow". */
	static async atEmptyCanvas(context: BrowserContext): Promise<Producer> {
		const page = await context.newPage();
		await page.goto('/workflow/new');
		await page.getByTestId('canvas-add-button').click();
		await listed(page, 'Trigger manually').click();
		await page.getByTestId('canvas-handle-plus').waitFor();
		return new Producer(page, new Canvas(page));
	}

	/**
	 * Adds a node after the last output, and leaves its form open.
	 *
	 * @param words what to search for
	 * @param found the node that must be the first one found
	 * @param then what to press to add it: one of the node's actions, or the button of a community node
	 */
	async add(words: string, found: string, then = 'Add to workflow'): Promise<void> {
		await this.page.getByTestId('canvas-handle-plus').last().click();
		await this.page.getByTestId('node-creator-search-bar').fill(words);
		const first = this.page.getByTestId('item-iterator-item').first();
		const nothing = this.page.getByTestId('node-creator-no-results');
		const wanted = first.filter({ has: titled(this.page, found) });
		await wanted.or(nothing).waitFor();
		if (await nothing.isVisible()) throw new Error(`The search for '${words}' finds nothing`);
		await wanted.click();
		await titled(this.page, then).click();
		await this.form.waitFor();
	}

	/** Enters a text in a field of the open form. */
	async fill(label: string, text: string): Promise<void> {
		await this.field(label).locator('input').last().fill(text);
	}

	/** Chooses the option of a field. */
	async choose(label: string, option: string): Promise<void> {
		await this.field(label).locator('input').first().click();
		await this.shownOption(option).click();
		await this.shownOption(option).waitFor({ state: 'hidden' });
	}

	/** Ticks options of a field that takes several: their list stays open until it is left. */
	async tick(label: string, ...options: readonly string[]): Promise<void> {
		await this.field(label).locator('input').first().click();
		for (const option of options) await this.shownOption(option).click();
		await this.page.keyboard.press('Escape');
		await this.shownOption(options[0]).waitFor({ state: 'hidden' });
	}

	/** Adds an option from a list that says for example "Add cut". A switch is on when it has been added. */
	async addOption(list: string, label: string): Promise<void> {
		await this.form.getByPlaceholder(list, { exact: true }).click();
		await this.shownOption(label).click();
		await this.field(label).waitFor();
	}

	async openSettings(): Promise<void> {
		await this.form.getByTestId('tab-settings').click();
	}

	/** Drags a field of the input to a field of the form. */
	async drag(name: string, label: string): Promise<void> {
		const names = this.form.getByTestId('ndv-input-panel').getByTestId('run-data-schema-node-name');
		const from = names.filter({ has: titled(this.page, name) }).first();
		await this.canvas.drag(from, await centerOf(this.field(label).getByTestId('parameter-input')));
		await this.field(label).getByText(`.${name} }}`).first().waitFor();
	}

	/** Runs the nodes before this one, whose output the form lacks, and waits until a field of it is there. */
	async executeBefore(field: string): Promise<void> {
		const names = this.form.getByTestId('ndv-input-panel').getByTestId('run-data-schema-node-name');
		const shown = names.filter({ has: titled(this.page, field) });
		// While the editor saves the workflow, a click is lost.
		await this.page.waitForLoadState('networkidle');
		await this.form.getByText('Execute the node', { exact: true }).click();
		await shown.waitFor();
	}

	async executeStep(): Promise<void> {
		await this.form.getByTestId('node-execute-button').click();
	}

	/** Closes the form and presses "Execute workflow". @returns the workflow's ID */
	async executeWorkflow(): Promise<string> {
		await this.closeForm();
		await this.canvas.run();
		// n8n saves the workflow first.
		await this.page.waitForURL(({ pathname }) => !pathname.startsWith('/workflow/new'));
		return new URL(this.page.url()).pathname.split('/')[2] ?? '';
	}

	/** Opens a node that has run, and downloads each file in its output. */
	async downloads(node: string): Promise<DownloadedFile[]> {
		await this.canvas.openForm(node);
		await this.form.getByTestId('output-panel').getByTestId('radio-button-binary').click();
		const buttons = this.form.getByTestId('output-panel').getByTestId('ndv-download-binary-data');
		await buttons.first().waitFor();
		const files: DownloadedFile[] = [];
		for (const button of await buttons.all()) {
			const beginning = this.page.waitForEvent('download');
			await button.click();
			const download = await beginning;
			const content = await readFile(await download.path());
			files.push({ name: download.suggestedFilename(), content });
		}
		await this.closeForm();
		return files;
	}

	async closeForm(): Promise<void> {
		await this.canvas.closeForm();
	}

	private get form(): Locator {
		return this.canvas.form;
	}

	/** A field of the open form. A group of options has the fields in it, too, so the last one is meant. */
	private field(label: string): Locator {
		return this.form
			.getByTestId('parameter-item')
			.filter({ has: titled(this.page, label) })
			.last();
	}

	private shownOption(label: string): Locator {
		const options = this.page.getByRole('option').filter({ visible: true });
		return options.filter({ has: titled(this.page, label) });
	}
}

/** What says exactly this. */
const titled = (page: Page, text: string) => page.getByText(text, { exact: true });

const listed = (page: Page, title: string) =>
	page.getByTestId('item-iterator-item').filter({ has: titled(page, title) });
