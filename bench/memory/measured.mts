/**
 * Moves files through n8n's engine with one node and measures that. Argument: a Trial as JSON.
 * Sends its parent a Peak.
 */
import '../../test/support/environment.ts';

import type { INodeExecutionData, IRun } from 'n8n-workflow';

import { loadCredential, loadNodes } from '../../demo/builtPackage.mts';
import { chain, credentialFor } from '../../test/support/chain.ts';
import { itemsOf, runWorkflow, startEngine } from '../../test/support/n8nEngine.ts';
import { MB } from './inChild.mts';
import type { BenchFile, Peak, Trial } from './order.mts';
import { startPeakMeter } from './peak.mts';

/** Runs with the small file, which load and compile the code. */
const WARM_UPS = 3;

const OURS = { upload: 'upload', download: 'getResult', edit: 'audioEditing' } as const;

/** The service has every edit ready at once; a custom plan, because 30 submissions a minute take too long. */
const IN_HASTE = { options: { firstPollDelaySeconds: 0 } };
const PLAN = { plan: 'custom', submissionsPerMinute: 1_000_000 };

const trial = JSON.parse(process.argv[2]) as Trial;

function itemFor({ sizeBytes, binary }: BenchFile): INodeExecutionData {
	return trial.direction === 'download'
		? { json: { editId: `${sizeBytes}-1` } }
		: { json: {}, binary: { data: binary } };
}

const type = OURS[trial.direction];

const parameters = { ...(trial.direction === 'edit' ? IN_HASTE : {}), ...trial.parameters };

async function run(files: readonly BenchFile[], url = trial.serviceUrl): Promise<IRun> {
	return await runWorkflow({
		workflow: chain({ type, parameters }),
		items: files.map(itemFor),
		nodeTypes,
		credentialTypes: { audioEditingApi: loadCredential() },
		credentials: { audioEditingApi: { ...credentialFor({ url, apiKey: 'bench' }), ...PLAN } },
	});
}

/** Fails if a file was not moved completely; one with new tags is longer. */
function requireWhole(result: IRun, files: readonly BenchFile[]): void {
	const { error } = result.data.resultData;
	if (error) throw error;
	const items = itemsOf(result, type);
	files.forEach(({ sizeBytes }, index) => {
		const item = items.at(index);
		const moved = trial.direction === 'upload' ? item?.json.sizeBytes : item?.binary?.data.bytes;
		const isWhole =
			'writeTags' in (parameters.options ?? {}) ? Number(moved) > sizeBytes : moved === sizeBytes;
		if (!isWhole) throw new Error(`Not all of ${sizeBytes} bytes were moved`);
	});
}

await startEngine();
const nodeTypes = loadNodes();
for (let warmUps = 0; warmUps < WARM_UPS; warmUps++) {
	requireWhole(await run([trial.warmUp], trial.warmUpUrl), [trial.warmUp]);
}
const peakOverBaseline = startPeakMeter();
const startedAtMs = performance.now();
const result = await run(trial.files);
const peakMb = peakOverBaseline() / MB;
const seconds = (performance.now() - startedAtMs) / 1_000;
requireWhole(result, trial.files);
const peak: Peak = { peakMb, seconds };
process.send?.(peak, () => {
	process.exit();
});
