import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { html as markup } from 'ghtml';
import type { Locator, Page } from 'playwright-core';

import type { Sandbox } from '../sandbox.mts';
import { IMAGES, type Pair, runFfmpeg, shoot } from './photograph.mts';

interface Scene {
	readonly frame: Pair;
	readonly seconds: number;
}

/** The size of the pages in the film; the strip with the steps comes on top. */
export const FILM_SIZE = { width: 960, height: 560 };

const STRIP_HEIGHT = 40;

const STRIP_STYLE = `
	:root { color-scheme: light dark; }
	body { margin: 0; background: light-dark(#f6f7f9, #161c26); font: 15px Arial, sans-serif; }
	ol { display: flex; align-items: center; justify-content: space-around; box-sizing: border-box;
		height: ${STRIP_HEIGHT}px; margin: 0; padding: 0 24px; list-style: none;
		border-bottom: 1px solid light-dark(#d5dae3, #323c4d); }
	li { color: light-dark(#7b8598, #8b97ad); }
	.now { color: light-dark(#17202e, #e6ebf4); font-weight: bold; }
	b { display: inline-block; width: 22px; margin-right: 8px; border-radius: 11px; color: #fff;
		background: light-dark(#aab3c2, #4a566b); font-size: 13px; line-height: 22px; text-align: center; }
	.now b { background: #e8590c; }
	div { display: grid; place-items: center; height: ${FILM_SIZE.height}px; }
	img { display: block; }`;

/** A film of still pictures, one of each color scheme, with a strip that says which step is shown. */
export class Film {
	private readonly scenes: Scene[] = [];

	/**
	 * @param strip a separate page, to draw the strip on
	 * @param steps the steps' names
	 */
	constructor(
		private readonly strip: Page,
		private readonly steps: readonly string[],
	) {}

	/**
	 * Adds a picture of a page.
	 *
	 * @param step counts from 1
	 * @param part shown alone, in the middle, instead of the whole page
	 */
	async add(page: Page, step: number, seconds: number, part?: Locator): Promise<void> {
		const { light, dark } = await shoot(page, (await part?.boundingBox()) ?? undefined);
		const frame = {
			light: await this.withStrip(light, step, 'light'),
			dark: await this.withStrip(dark, step, 'dark'),
		};
		this.scenes.push({ frame, seconds });
	}

	private async withStrip(png: Buffer, step: number, scheme: keyof Pair): Promise<Buffer> {
		const items = this.steps.map(
			(name, index) =>
				markup`<li class="${index + 1 === step ? 'now' : ''}"><b>${index + 1}</b>${name}</li>`,
		);
		await this.strip.setViewportSize({
			...FILM_SIZE,
			height: FILM_SIZE.height + STRIP_HEIGHT,
		});
		await this.strip.emulateMedia({ colorScheme: scheme });
		await this.strip.setContent(
			`<style>${STRIP_STYLE}</style><ol>${items.join('')}</ol>` +
				`<div><img src="data:image/png;base64,${png.toString('base64')}"></div>`,
		);
		return await this.strip.screenshot();
	}

	/** Saves the film as `<name>.gif` and `<name>-dark.gif` in docs/images. */
	async save(sandbox: Sandbox, name: string): Promise<void> {
		await this.saveScheme(sandbox, 'light', `${name}.gif`);
		await this.saveScheme(sandbox, 'dark', `${name}-dark.gif`);
	}

	private async saveScheme(sandbox: Sandbox, scheme: keyof Pair, name: string): Promise<void> {
		const folder = join(sandbox.folder, `film-${scheme}`);
		await mkdir(folder, { recursive: true });
		const lines = ['ffconcat version 1.0'];
		for (const [index, { frame, seconds }] of this.scenes.entries()) {
			const file = `${String(index).padStart(2, '0')}.png`;
			await writeFile(join(folder, file), frame[scheme]);
			lines.push(`file ${file}`, `duration ${seconds}`);
		}
		const list = join(folder, 'scenes.ffconcat');
		await writeFile(list, lines.join('\n'));
		const lastHundredths = Math.round(100 * (this.scenes.at(-1)?.seconds ?? 0));
		const filters = [
			'settb=1/100,split[all][for];[for]palettegen=reserve_transparent=1[palette]',
			'[all][palette]paletteuse=dither=none:diff_mode=rectangle',
		].join(';');
		runFfmpeg([
			'-f',
			'concat',
			'-i',
			list,
			'-vf',
			filters,
			'-fps_mode',
			'passthrough',
			'-final_delay',
			String(lastHundredths),
			'-loop',
			'0',
			join(IMAGES, name),
		]);
	}
}
