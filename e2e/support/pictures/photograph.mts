import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { findFfmpeg } from '../../../service/media/ffmpeg/ffmpeg.mts';
import { run } from '../../../testkit/media/mediaFiles.ts';
import { ROOT } from '../places.mts';

export const IMAGES = join(ROOT, 'docs', 'images');

/** The messages that n8n shows on top of the page for a few seconds. */
export const MESSAGES = '.el-notification';

/** A picture of the same thing in both color schemes, as PNG. */
export interface Pair {
	readonly light: Buffer;
	readonly dark: Buffer;
}

/** A rectangle on the page, in CSS pixels. */
export type Area = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** Long enough for the page to change its colors. */
const RECOLORED_MS = 500;

/** Replaces colors by a palette of 256, which takes a quarter of the bytes. */
const REDUCE_COLORS = [
	'split[all][for];[for]palettegen=reserve_transparent=0:stats_mode=single[palette]',
	'[all][palette]paletteuse=dither=none',
].join(';');

/** Returns screenshots of a page or a part of it, without mouse, caret and animations. */
export async function shoot(page: Page, clip?: Area): Promise<Pair> {
	// A page in the background does not learn of new colors, and keeps its icons.
	await page.bringToFront();
	await page.mouse.move(0, 0);
	const take = async (colorScheme: 'light' | 'dark') => {
		await page.emulateMedia({ colorScheme });
		await page.waitForTimeout(RECOLORED_MS);
		return await page.screenshot({ animations: 'disabled', ...(clip && { clip }) });
	};
	const dark = await take('dark');
	return { dark, light: await take('light') };
}

/** Saves a part of a page under a name in docs/images, in light and (with `-dark`) in dark. */
export async function photograph(page: Page, name: string, clip?: Area): Promise<void> {
	const { light, dark } = await shoot(page, clip);
	await mkdir(dirname(join(IMAGES, name)), { recursive: true });
	await writeFile(join(IMAGES, `${name}.png`), withFewColors(light));
	await writeFile(join(IMAGES, `${name}-dark.png`), withFewColors(dark));
}

function withFewColors(png: Buffer): Buffer {
	const input = ['-f', 'png_pipe', '-i', '-', '-vf', REDUCE_COLORS];
	const output = ['-pred', 'none', '-compression_level', '9', '-f', 'image2pipe', '-c:v', 'png'];
	return runFfmpeg([...input, ...output, '-'], png);
}

/** Runs ffmpeg. @returns what it writes to standard output */
export function runFfmpeg(args: readonly string[], input?: Buffer): Buffer {
	return run(findFfmpeg().ffmpegPath, ['-v', 'error', '-y', ...args], input);
}

/** Returns the smallest rectangle around all of these, with a margin. */
export function around(areas: readonly Area[], margin: number): Area {
	const left = Math.min(...areas.map(({ x }) => x)) - margin;
	const top = Math.min(...areas.map(({ y }) => y)) - margin;
	const right = Math.max(...areas.map(({ x, width }) => x + width)) + margin;
	const bottom = Math.max(...areas.map(({ y, height }) => y + height)) + margin;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Returns the rectangles of all visible elements that a locator finds. */
export async function areasOf(locator: Locator): Promise<Area[]> {
	const boxes = await Promise.all((await locator.all()).map((one) => one.boundingBox()));
	return boxes.filter((box) => box !== null && box.height > 0) as Area[];
}
