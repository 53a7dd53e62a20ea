/**
 * `npm run bench -- tagging`: measures the memory that Get Result needs for 2 GB with tags, chapters and a
 * cover, and for the same file without them. It also checks whether the sound of tagged files decodes to
 * the same samples.
 */
import type { INodeParameters } from 'n8n-workflow';

import { count, printBars } from './bars.mts';
import { startInstantService } from './children.mts';
import { median } from './median.mts';
import { MB, measureInChild } from './memory/inChild.mts';
import type { BenchFile, Trial } from './memory/order.mts';
import { equalSounds } from './tagging/sounds.mts';

const SIZE_BYTES = 2_048 * MB;

const WARM_UP_BYTES = MB;

/** Processes for each of the two; the medians are compared. */
const PROCESSES = 5;

const GOAL_MB = 8;

const TAGGING: INodeParameters = {
	options: {
		writeTags: { title: 'Bread and Time', author: 'Anna', show: 'Slow Kitchen', season: 3 },
		embedChapters: 'json',
		chaptersJson: JSON.stringify(
			Array.from({ length: 200 }, (_chapter, index) => ({
				start: index * 30,
				title: `Part ${index}`,
			})),
		),
	},
};

function fileOf(sizeBytes: number): BenchFile {
	return { sizeBytes, binary: { data: '', mimeType: 'audio/mpeg' } };
}

/** The peak over the baseline of one download in a new process, in MB. */
async function peakMb(serviceUrl: string, parameters: INodeParameters): Promise<number> {
	const trial: Trial = {
		direction: 'download',
		warmUp: fileOf(WARM_UP_BYTES),
		files: [fileOf(SIZE_BYTES)],
		serviceUrl,
		parameters,
	};
	const measured = await measureInChild(trial);
	if ('refusal' in measured) throw new Error(measured.refusal);
	return measured.peakOverBaselineBytes / MB;
}

/** By how much the median peak with tags is higher than without, in MB. */
async function memoryOver(): Promise<number> {
	const service = await startInstantService(WARM_UP_BYTES);
	const plain: number[] = [];
	const tagged: number[] = [];
	try {
		// Alternating, so that the machine's other work affects both.
		for (let count = 0; count < PROCESSES; count++) {
			plain.push(await peakMb(service.url, {}));
			tagged.push(await peakMb(service.url, TAGGING));
		}
	} finally {
		await service.stop();
	}
	const shown = (peaks: readonly number[]) => peaks.map((peak) => peak.toFixed(1)).join(', ');
	console.log(`peaks over baseline in MB: untagged ${shown(plain)}; tagged ${shown(tagged)}`);
	return median(tagged) - median(plain);
}

const { equal, all } = equalSounds();
const figure = await memoryOver();
printBars([
	count('decoded audio of a tagged file equals the untagged', equal, all, '>=', `of ${all}`),
	{
		name: 'memory while tagging 2 GB, over the untagged download',
		...{ figure, limit: GOAL_MB, decimals: 1, unit: 'MB' },
	},
]);
