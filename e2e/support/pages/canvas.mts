import type { Locator, Page } from 'playwright-core';

/** Long enough for the editor to draw a change. */
const DRAWN_MS = 900;

/** The parts used of the page's audio element, whose types exist only in the browser. */
interface Player {
	readonly currentTime: number;
	playbackRate: number;
	readonly duration: number;
	play(): Promise<void>;
}

/** A place on the page. */
interface Place {
	readonly x: number;
	readonly y: number;
}

/** Returns the middle of a part of the page. */
export async function centerOf(part: Locator): Promise<Place> {
	const box = await part.boundingBox();
	if (box === null) throw new Error('There is nothing to drag, or nowhere to drag it');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A person at the canvas of one workflow. */
export class Canvas {
	constructor(readonly page: Page) {}

	async open(workflowId: string): Promise<void> {
		await this.page.goto(`/workflow/${workflowId}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
		await this.settled();
	}

	/** Waits until the editor has drawn a change. */
	async settled(): Promise<void> {
		await this.page.waitForTimeout(DRAWN_MS);
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

	/** Adds a node after the last one and leaves its form open. The first of its actions is taken, if any. */
	async add(displayName: string, action = ''): Promise<void> {
		const plus = this.page.getByTestId('canvas-handle-plus').last();
		await plus.click();
		await this.search(displayName);
		await this.page
			.getByTestId('item-iterator-item')
			.filter({ hasText: displayName })
			.first()
			.click();
		await this.settled();
		const chosen = this.page.getByTestId('item-iterator-item').filter({ hasText: action }).first();
		if (!(await this.form.isVisible()) && (await chosen.isVisible())) await chosen.click();
		await this.form.waitFor();
	}

	/** Types into a field of the open form, and lets the editor save. */
	async type(parameter: string, text: string): Promise<void> {
		await this.form.getByTestId(`parameter-input-${parameter}`).locator('input').fill(text);
		await this.settled();
	}

	async save(): Promise<void> {
		await this.page.keyboard.press('Control+s');
		await this.settled();
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

	/** Gives the output panel of an open form as much room as it can have. */
	async widenOutput(): Promise<void> {
		const { width = 0 } = this.page.viewportSize() ?? {};
		await this.dragLeft(this.form.getByTestId('panel-drag-button'), width);
		await this.dragLeft(this.form.getByTestId('resize-handle').last(), width / 4);
		await this.settled();
	}

	private async dragLeft(handle: Locator, by: number): Promise<void> {
		const { x, y } = await centerOf(handle);
		await this.drag(handle, { x: x - by, y });
	}

	/** Drags a part of the page to a place. */
	async drag(part: Locator, to: Place): Promise<void> {
		const from = await centerOf(part);
		await this.page.mouse.move(from.x, from.y);
		await this.page.mouse.down();
		await this.page.mouse.move(to.x, to.y, { steps: 10 });
		await this.page.mouse.up();
	}

	/** Hides parts of the editor until the next page is opened. */
	async hide(selectors: readonly string[]): Promise<void> {
		const content = `${selectors.join(', ')} { visibility: hidden !important }`;
		await this.page.addStyleTag({ content });
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

	/** Executes the workflow, which begins with a form. @returns the page of that form */
	async runWithForm(): Promise<Page> {
		const opening = this.page.context().waitForEvent('page');
		await this.run();
		return await opening;
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

	/** Lets the recording play up to a time, and holds it there, so that every picture shows the same. */
	async holdAt(seconds: number): Promise<void> {
		const player = this.form.locator('audio');
		const setRate = async (rate: number) => {
			await player.evaluate((element: Player, playbackRate) => {
				element.playbackRate = playbackRate;
			}, rate);
		};
		await setRate(1);
		// n8n serves no parts of a file, so a player cannot jump.
		while ((await player.evaluate(({ currentTime }: Player) => currentTime)) < seconds) {
			await this.page.waitForTimeout(50);
		}
		await setRate(0);
		await this.settled();
	}
}
