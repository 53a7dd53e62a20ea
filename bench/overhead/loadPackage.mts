/**
 * Measures how long n8n's loader takes for the package in a folder, in a new process that has
 * already loaded n8n. Plain Node.js, since a TypeScript loader would run on every require.
 * Argument: `{ folder }` as JSON. Sends its parent a Loading.
 */
import 'reflect-metadata';

import { PackageDirectoryLoader } from 'n8n-core';

const { folder } = JSON.parse(process.argv[2]) as { folder: string };

const cpuBefore = process.threadCpuUsage();
const startedAtMs = performance.now();
const loader = new PackageDirectoryLoader(folder);
await loader.loadAll();
const wallMs = performance.now() - startedAtMs;
const { user, system } = process.threadCpuUsage(cpuBefore);
const loading = { wallMs, cpuMs: (user + system) / 1_000, nodes: loader.types.nodes.length };
process.send?.(loading, () => {
	process.exit();
});
