/**
 * Runs one edit in the engine as the service does, in a separate process, and prints the cost as
 * JSON: `node --import tsx service/bench/engine/engineRun.mts <source> <folder> <config as JSON>`
 */
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { editConfigSchema, resolveEditConfig } from '../../shared/contract.mts';
import { EnginePool } from '../../engine/pool/enginePool.mts';
import { childrenCpuSeconds } from '../../../testkit/measure/peak.mts';
import type { CommandRun } from './measure.mts';

const [sourcePath = '', folder = '', configText = '{}'] = process.argv.slice(2);
const [workFolder, resultFolder] = [join(folder, 'work'), join(folder, 'result')];
await mkdir(workFolder, { recursive: true });
await mkdir(resultFolder, { recursive: true });
const request = {
	sources: [{ path: sourcePath, name: basename(sourcePath) }],
	workFolder,
	resultFolder,
	config: resolveEditConfig(editConfigSchema.parse(JSON.parse(configText))),
	maxSourceSeconds: 12 * 3_600,
};
const pool = new EnginePool(1);
const began = performance.now();
await pool.run(request, () => Promise.resolve(), new AbortController().signal);
const wallSeconds = (performance.now() - began) / 1_000;
const { user, system } = process.cpuUsage();
const run: CommandRun = {
	wallSeconds,
	cpuSeconds: (user + system) / 1e6 + childrenCpuSeconds('self'),
	peakMegabytes: process.resourceUsage().maxRSS / 1_024,
};
console.log(JSON.stringify(run));
await pool.close();
