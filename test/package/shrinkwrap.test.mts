import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { execa } from 'execa';
import { parse } from 'yaml';
import { z } from 'zod';

import { ROOT } from '../../.ci/released.mts';
import { shrinkwrap } from '../../.ci/shrinkwrap.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

interface Tree {
	version?: string;
	dependencies?: Record<string, Tree>;
}

const treeSchema: z.ZodType<Tree> = z.lazy(() =>
	z.object({
		version: z.string().optional(),
		dependencies: z.record(treeSchema).optional(),
	}),
);

/** Returns what npm would install: each package with the path of packages through which it is needed. */
async function installed(folder: string, ...args: string[]): Promise<string[]> {
	const options = ['ls', '--all', '--json', '--package-lock-only', '--omit=dev', ...args];
	// npm ends with 1 for what it calls extraneous in a workspace.
	const { stdout } = await execa('npm', options, { cwd: folder, reject: false });
	const linesOf = ({ dependencies = {} }: Tree, path: string): string[] =>
		Object.entries(dependencies).flatMap(([name, tree]) => {
			const own = `${path}/${name}@${tree.version ?? ''}`;
			return [own, ...linesOf(tree, own)];
		});
	const { dependencies = {} } = treeSchema.parse(JSON.parse(stdout));
	return linesOf(dependencies['audio-editing-service'] ?? { dependencies }, '').sort();
}

await test('npm installs with the package of the service what the repository was tested with', async () => {
	await using folder = await temporaryFolder();
	await copyFile(join(ROOT, 'service/package.json'), join(folder.path, 'package.json'));
	await writeFile(join(folder.path, 'npm-shrinkwrap.json'), JSON.stringify(shrinkwrap()));
	const [tested, packed] = [await installed(ROOT, '-w', 'service'), await installed(folder.path)];
	assert.ok(tested.length > 200);
	assert.deepEqual(packed, tested);
	assert.ok(!packed.some((line) => line.includes('ffmpeg-installer')));
});

const composeSchema = z.object({
	services: z.record(
		z.object({
			read_only: z.literal(true),
			tmpfs: z.array(z.string()),
			cap_drop: z.tuple([z.literal('ALL')]),
			mem_limit: z.string(),
		}),
	),
});

await test('the containers of compose.yaml write only where they must, with limits', async () => {
	const compose = composeSchema.parse(parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8')));
	assert.deepEqual(Object.keys(compose.services), ['audio-editing', 'n8n']);
});
