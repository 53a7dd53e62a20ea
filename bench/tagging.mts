/**
 * `npm run bench -- tagging`: measures the memory that Get Result needs for 2 GB with tags, chapters and a
 * cover, and for the same file without them. It also checks whether the sound of tagged files decodes to
 * the same samples.
 */
import type { INodeParameters } from 'n8n-workflow';

import { count, printBars } from '../testkit/measure/bars.mts';
import { startInstantService } from '../testkit/measure/children.mts';
import { median } from '../testkit/measure/median.mts';
import { MB, measureInChild } from './memory/inChild.mts';
import { equalSounds } from './tagging/sounds.mts';

/** Processes for each of the two; the medians are compared. */
const PROCESSES = 5;

const GOAL_MB = 8;

const TAGGING: INodeParameters = {
	files: {
		writeTags: { title: 'Bread and Time', author: 'Anna', show: 'Slow Kitchen', season: 3 },
	},
	transcriptAndNotes: {
		embedChapters: 'json',
		chaptersJson: JSON.stringify(
			Array.from({ length: 200 }, (_chapter, index) => ({
				start: index * 30,
				title: `Part ${index}`,
			})),
		),
	},
};

/** By how much the median peak with tags is higher than without, in MB. */
async function memoryOver(): Promise<number> {
	await using service = await startInstantService(MB);
	const download = { direction: 'download', sizesBytes: [2_048 * MB] } as const;
	const peaks = { untagged: [] as number[], tagged: [] as number[] };
	// Alternating, so that the machine's other work affects both.
	while (peaks.tagged.length < PROCESSES) {
		for (const [name, parameters] of [['untagged', {}] as const, ['tagged', TAGGING] as const]) {
			const { peakMb } = await measureInChild(service, { ...download, parameters });
			peaks[name].push(peakMb);
		}
	}
	console.log('peaks over baseline in MB:', peaks);
	return median(peaks.tagged) - median(peaks.untagged);
}

const { equal, all } = equalSounds();
const figure = await memoryOver();
printBars([
	count('decoded audio of a tagged file equals the untagged', equal, all, '>=', `of ${all}`),
	{
		name: 'memory while tagging 2 GB, over the untagged download',
		figure,
		limit: GOAL_MB,
		decimals: 1,
		unit: 'MB',
	},
]);
