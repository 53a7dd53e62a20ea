import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { temporaryFolder } from '../../test/service/support/temporaryFolder.mts';
import { runInChild } from '../children.mts';
import { median } from '../median.mts';

/** Time one process needed to load a package, in milliseconds. */
interface Loading {
	/** Wall time, which grows on a busy machine. */
	readonly wallMs: number;
	/** CPU time of the loading thread: the wall time on an idle machine. */
	readonly cpuMs: number;
	readonly nodes: number;
}

/** Medians over many processes, for our package and for an empty one. */
interface LoadingTimes {
	readonly ours: Omit<Loading, 'nodes'>;
	readonly empty: Omit<Loading, 'nodes'>;
}

const PROCESSES = 21;

const ROOT = join(import.meta.dirname, '..', '..');
const { n8n } = createRequire(import.meta.url)('../../package.json') as {
	n8n: { nodes: string[] };
};
const OUR_NODES = n8n.nodes.length;

const LOADER = join(import.meta.dirname, 'loadPackage.mts');

/** The smallest possible node. */
const EMPTY_NODE = `
exports.Empty = class Empty {
	description = {
		displayName: 'Empty', name: 'empty', group: ['transform'], version: 1, description: '',
		defaults: { name: 'Empty' }, inputs: ['main'], outputs: ['main'], properties: [],
	};
	async execute() { return [this.getInputData()]; }
};
`;

const EMPTY_PACKAGE = {
	name: 'n8n-nodes-empty',
	version: '1.0.0',
	n8n: { nodes: ['Empty.node.js'] },
};

const N8N_ENCRYPTION_KEY = randomUUID();

/** Loads our package and an empty one alternately, so that a busy machine slows both equally. */
export async function measureLoading(): Promise<LoadingTimes> {
	await using folder = await temporaryFolder();
	const emptyFolder = join(folder.path, 'empty');
	await mkdir(emptyFolder);
	await writeFile(join(emptyFolder, 'package.json'), JSON.stringify(EMPTY_PACKAGE));
	await writeFile(join(emptyFolder, 'Empty.node.js'), EMPTY_NODE);
	const ours: Loading[] = [];
	const empty: Loading[] = [];
	while (ours.length < PROCESSES) {
		empty.push(await load(emptyFolder, 1, folder.path));
		ours.push(await load(ROOT, OUR_NODES, folder.path));
	}
	return { ours: middle(ours), empty: middle(empty) };
}

function middle(loadings: readonly Loading[]): Omit<Loading, 'nodes'> {
	return {
		wallMs: median(loadings.map(({ wallMs }) => wallMs)),
		cpuMs: median(loadings.map(({ cpuMs }) => cpuMs)),
	};
}

async function load(folder: string, nodes: number, userFolder: string): Promise<Loading> {
	const env = { N8N_USER_FOLDER: userFolder, N8N_ENCRYPTION_KEY, N8N_LOG_LEVEL: 'silent' };
	const loading = (await runInChild(LOADER, { folder }, { env })) as Loading;
	if (loading.nodes !== nodes) throw new Error(`${loading.nodes} of ${nodes} nodes were loaded`);
	return loading;
}
