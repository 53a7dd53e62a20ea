/**
 * Moves files through n8n's engine with one node and measures that. Argument: a Trial as JSON.
 * Sends its parent a Peak.
 */
import { runBuilt, sendAndEnd } from '../builtRun.mts';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { MB, type Peak, type Trial } from './inChild.mts';
import { startPeakMeter } from '../../testkit/measure/peak.mts';

/** Runs with a small file, which load and compile the code. */
const WARM_UPS = 3;

const OURS = { upload: 'upload', download: 'getResult', edit: 'audioEditing' } as const;

/** The service has every edit ready at once. */
const IN_HASTE = { advanced: { firstPollDelaySeconds: 0 } };

const trial = JSON.parse(process.argv[2]) as Trial;

const parameters = { ...(trial.direction === 'edit' ? IN_HASTE : {}), ...trial.parameters };

/** Fails if a file was not moved completely; one with new tags is longer. */
async function moveAll(items: INodeExecutionData[], sizesBytes: readonly number[], url: string) {
	const { files = {} }: INodeParameters = parameters;
	const moved = await runBuilt(url, items, [{ type: OURS[trial.direction], parameters }]);
	sizesBytes.forEach((sizeBytes, index) => {
		const { json, binary } = moved[index];
		const bytes = Number(trial.direction === 'upload' ? json.sizeBytes : binary?.data.bytes);
		const isTagged = 'writeTags' in (files as INodeParameters);
		// Without a file, there is no number.
		if (!(isTagged ? bytes > sizeBytes : bytes === sizeBytes))
			throw new Error(`Not all of ${sizeBytes} bytes were moved`);
	});
}

const { sizesBytes, serviceUrl, warmUpUrl = serviceUrl } = trial;
const [small, ...items] = trial.items;
for (let warmUps = 0; warmUps < WARM_UPS; warmUps++) await moveAll([small], [MB], warmUpUrl);
const peakOverBaseline = startPeakMeter();
const startedAtMs = performance.now();
await moveAll(items, sizesBytes, serviceUrl);
const peak: Peak = {
	peakMb: peakOverBaseline() / MB,
	seconds: (performance.now() - startedAtMs) / 1_000,
};
sendAndEnd(peak);
