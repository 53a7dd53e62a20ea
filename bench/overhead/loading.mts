import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { runInChild } from '../../testkit/measure/children.mts';
import { median } from '../../testkit/measure/median.mts';

/** Time one process needed to load a package, in milliseconds. */
interface Loading {
	/** Wall time, which grows on a busy machine. */
	readonly wallMs: number;
	/** CPU time of the loading thread: the wall time on an idle machine. */
	readonly cpuMs: number;
	readonly nodes: number;
}

const PROCESSES = 21;

const ROOT = join(import.meta.dirname, '..', '..');
const { n8n } = createRequire(import.meta.url)('../../package.json') as {
	n8n: { nodes: string[] };
};

const LOADER = join(import.meta.dirname, 'loadPackage.mts');

const EMPTY_NODE = `
exports.NAME = class NAME {
	description = {
		displayName: 'NAME', name: 'NAME', group: ['transform'], version: 1, description: '',
		defaults: { name: 'NAME' }, inputs: ['main'], outputs: ['main'], properties: [],
	};
	async execute() { return [this.getInputData()]; }
};
`;

const EMPTY_NAMES = n8n.nodes.map((_path, index) => `Empty${index}`);

const EMPTY_PACKAGE = {
	name: 'n8n-nodes-empty',
	version: '1.0.0',
	n8n: { nodes: EMPTY_NAMES.map((name) => `${name}.node.js`) },
};

/**
 * Loads our package and an empty one of as many nodes in many processes, alternately, so that a busy machine slows both equally.
 * Returns the medians.
 */
export async function measureLoading() {
	await using folder = await temporaryFolder();
	const emptyFolder = join(folder.path, 'empty');
	await mkdir(emptyFolder);
	await writeFile(join(emptyFolder, 'package.json'), JSON.stringify(EMPTY_PACKAGE));
	for (const name of EMPTY_NAMES) {
		const code = EMPTY_NODE.replaceAll('NAME', name);
		await writeFile(join(emptyFolder, `${name}.node.js`), code);
	}
	const ours: Loading[] = [];
	const empty: Loading[] = [];
	while (ours.length < PROCESSES) {
		empty.push(await load(emptyFolder, n8n.nodes.length, folder.path));
		ours.push(await load(ROOT, n8n.nodes.length, folder.path));
	}
	return { ours: middle(ours), empty: middle(empty) };
}

function middle(loadings: readonly Loading[]) {
	return {
		wallMs: median(loadings.map(({ wallMs }) => wallMs)),
		cpuMs: median(loadings.map(({ cpuMs }) => cpuMs)),
	};
}

async function load(folder: string, nodes: number, n8nFolder: string): Promise<Loading> {
	const loading = (await runInChild(LOADER, { folder }, n8nFolder, [])) as Loading;
	if (loading.nodes !== nodes) throw new Error(`${loading.nodes} of ${nodes} nodes were loaded`);
	return loading;
}
