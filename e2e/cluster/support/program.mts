import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT } from '../../support/places.mts';
import type { Sandbox } from '../../support/sandbox.mts';

const START = join('dist', 'service', 'cli', 'start.mjs');

const MIGRATIONS = join('dist', 'service', 'store', 'migrations', 'all.mjs');

export const NEXT_MIGRATION = '9999 next version';

/** Adds a column and a table, which is all that a migration may do. */
const ENTRY = `
	'${NEXT_MIGRATION}': {
		up: async (tables) => {
			await tables.schema.alterTable('edits').addColumn('next_version', 'text').execute();
			await tables.schema.createTable('next_version').addColumn('id', 'text').execute();
		},
	},`;

/** The built service of this repository; the npm script has built it. */
export const THIS_VERSION = join(ROOT, 'service', START);

/** Creates a copy of the built service with one more migration. @returns its program */
export async function makeNextVersion({ folder }: Sandbox): Promise<string> {
	const service = join(folder, 'next-version', 'service');
	await mkdir(service, { recursive: true });
	const source = join(ROOT, 'service');
	for (const part of ['dist', 'package.json']) {
		await cp(join(source, part), join(service, part), { recursive: true });
	}
	await symlink(join(source, 'node_modules'), join(service, 'node_modules'));
	await symlink(join(ROOT, 'node_modules'), join(folder, 'next-version', 'node_modules'));
	await addMigration(join(service, MIGRATIONS));
	return join(service, START);
}

async function addMigration(path: string): Promise<void> {
	const code = await readFile(path, 'utf8');
	const start = 'MIGRATIONS = {';
	if (!code.includes(start)) throw new Error(`No ${start} in ${path}`);
	await writeFile(path, code.replace(start, start + ENTRY));
}
