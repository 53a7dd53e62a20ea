/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import { readFileSync, readdirSync } from 'fs';
import { join } from 'path';

import { run } from '../testkit/media/mediaFiles';

/** The stored pictures, which `npm run e2e -- pictures` takes. */
const IMAGES = join('docs', 'images');

const PICTURES = (readdirSync(IMAGES, { recursive: true }) as string[])
	.filter((path) => /\.(png|gif)$/.test(path))
	.sort();

const LIGHT = PICTURES.filter((path) => !path.includes('-dark.'));

const darkOf = (path: string) => path.replace(/(\.\w+)$/, '-dark$1');

/** Returns width and height from a PNG's or GIF's header. */
function sizeOf(path: string): [width: number, height: number] {
	const bytes = readFileSync(join(IMAGES, path));
	return path.endsWith('.png')
		? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
		: [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
}

describe('the pictures', () => {
	it('exist in pairs, light and dark', () => {
		expect(PICTURES).toEqual(LIGHT.flatMap((path) => [path, darkOf(path)]).sort());
	});

	it.each(LIGHT)('%s is as large in dark', (path) => {
		expect(sizeOf(darkOf(path))).toEqual(sizeOf(path));
	});

	it('have less than 80 KB each if they do not move', () => {
		const still = PICTURES.filter((path) => path.endsWith('.png'));
		const large = still.filter((path) => readFileSync(join(IMAGES, path)).length > 80_000);
		expect(large).toEqual([]);
	});

	it('show each example workflow', () => {
		const workflows = readdirSync('workflows').filter((name) => name.endsWith('.json'));
		const shown = LIGHT.filter((path) => path.startsWith('recipes/'));
		expect(shown).toEqual(workflows.map((name) => `recipes/${name.replace('.json', '.png')}`));
	});
});

describe.each(['episode.gif', 'episode-dark.gif'])('the moving picture %s', (name) => {
	const path = join(IMAGES, name);

	it('takes about 15 seconds in at least 12 frames, none too short to read', () => {
		const shown = ['-show_entries', 'packet=duration_time', '-of', 'csv=p=0'];
		const lines = run('ffprobe', ['-v', 'error', ...shown, path])
			.toString()
			.trim()
			.split('\n');
		const frames = lines.map(Number);
		const seconds = frames.reduce((sum, frame) => sum + frame, 0);
		expect(seconds).toBeGreaterThanOrEqual(12);
		expect(seconds).toBeLessThanOrEqual(18);
		expect(frames.length).toBeGreaterThanOrEqual(12);
		for (const frame of frames) expect(frame).toBeGreaterThanOrEqual(0.3);
	});

	it('has less than 3 MB', () => {
		expect(readFileSync(path).length).toBeLessThan(3_000_000);
	});
});
