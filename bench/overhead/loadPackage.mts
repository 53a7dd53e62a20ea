/**
 * Measures how long n8n's loader takes for the package in a folder, in a new process that has
 * already loaded n8n. Plain Node.js, since a TypeScript loader would run on every require.
 * Argument: `{ folder }` as JSON. Sends its parent a Loading.
 */
import 'reflect-metadata';

import { PackageDirectoryLoader } from 'n8n-core';

import { threadCpuMs } from '../../testkit/measure/threadCpu.mts';

const { folder } = JSON.parse(process.argv[2]) as { folder: string };

const cpuBeforeMs = threadCpuMs();
const startedAtMs = performance.now();
const loader = new PackageDirectoryLoader(folder);
await loader.loadAll();
const wallMs = performance.now() - startedAtMs;
const loading = { wallMs, cpuMs: threadCpuMs() - cpuBeforeMs, nodes: loader.types.nodes.length };
process.send?.(loading, () => {
	process.exit();
});
