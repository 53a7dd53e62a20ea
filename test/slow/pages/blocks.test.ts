/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they start processes and read files */
import { spawnSync } from 'child_process';
import { existsSync, readFileSync } from 'fs';
import { mkdir, mkdtemp, rm } from 'fs/promises';
import { tmpdir } from 'os';
import { join } from 'path';

import { type LocalService, startLocalService } from '../../../testkit/service/localService';
import { blocksOf } from '../../../testkit/text/markdown';
import { buildIfStale } from '../../../testkit/n8n/unpackedPackage';

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'audio-editing-texts-'));
});

afterAll(async () => {
	await rm(folder, { recursive: true, force: true });
});

/** Returns the block of a text that runs this command. */
function blockWith(path: string, command: string): string {
	const blocks = blocksOf(readFileSync(path, 'utf8')).filter(({ text }) => text.includes(command));
	expect(blocks).toHaveLength(1);
	return blocks[0].text;
}

/** Replaces parts of a block. Fails if one is missing. */
function replaced(block: string, parts: Readonly<Record<string, string>>): string {
	return Object.entries(parts).reduce((text, [part, by]) => {
		expect(text).toContain(part);
		return text.replaceAll(part, by);
	}, block);
}

/** Runs a block as typed by a person, and stops at the first command that fails. */
function runBlock(block: string, env: Readonly<Record<string, string>> = {}): string {
	const command = ['-eu', '-o', 'pipefail', '-c', block];
	const options = { encoding: 'utf8', env: { ...process.env, ...env } } as const;
	const { status, stdout, stderr } = spawnSync('bash', command, options);
	expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
	return stdout;
}

describe("the service's README, by hand", () => {
	let service: LocalService;

	beforeAll(async () => {
		service = await startLocalService();
	});

	afterAll(async () => {
		await service.stop();
	});

	it('uploads, edits, polls, downloads and deletes', () => {
		const told = blockWith('service/README.md', '/v2/upload');
		const here = {
			'/tmp/': `${folder}/`,
			'http://127.0.0.1:8787': service.url,
			'.local-service': service.storage,
			'recording.mp3': 'demo/recording.mp3',
		};
		const answer = runBlock(replaced(told, here));
		const edit = JSON.parse(readFileSync(join(folder, 'edit.json'), 'utf8')) as {
			status: string;
			result: { statistics: Record<string, number> };
		};
		expect(edit.status).toBe('SUCCESS');
		expect(edit.result.statistics.DEADAIR).toBeGreaterThan(0);
		expect(existsSync(join(folder, 'talk-edited.mp3'))).toBe(true);
		// The response to the deletion, at the end.
		expect(answer.trim().endsWith('{}')).toBe(true);
	});
});

describe('the README, Install in n8n', () => {
	it('installs a self-built package where n8n looks for it', async () => {
		buildIfStale();
		const home = join(folder, 'home');
		await mkdir(home);
		const told = blockWith('README.md', 'npm pack');
		// The build exists already, and the archive must not stay in the repository. npm ci would take
		// away the packages with which other tests are running.
		const block = replaced(told, {
			'npm ci && npm pack': `npm pack --ignore-scripts --pack-destination ${folder}`,
			'./n8n-': `${folder}/n8n-`,
		});
		runBlock(block, { HOME: home });
		const modules = join(home, '.n8n', 'nodes', 'node_modules');
		const entry = 'n8n-nodes-audio-editing/dist/nodes/CreateEdit/CreateEdit.node.js';
		expect(existsSync(join(modules, entry))).toBe(true);
		// Neither n8n nor any other package was installed along with it.
		expect(existsSync(join(modules, 'n8n-workflow'))).toBe(false);
	});
});
