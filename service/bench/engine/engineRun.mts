/**
 * Runs one edit in the engine as the built service does, in a process that has loaded the whole service, and prints the
 * cost as JSON: `node service/bench/engine/engineRun.mts <source> <folder> <config as JSON>`. From TypeScript, each
 * thread would first strip the types of all modules, which no user waits for.
 */
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { childrenCpuSeconds } from '../../../testkit/measure/peak.mts';
import type { CommandRun } from './measure.mts';

/** Loads a module of the package as `npm run build -w service` has made it. */
async function built<Module>(name: string): Promise<Module> {
	const url = new URL(`../../dist/service/${name}.mjs`, import.meta.url);
	return (await import(url.href)) as Module;
}

const { editConfigSchema, resolveEditConfig } =
	await built<typeof import('../../shared/contract.mts')>('shared/contract');
const { EnginePool } =
	await built<typeof import('../../engine/pool/enginePool.mts')>('engine/pool/enginePool');
await built('cli/localService');

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
