import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** The folder of the change files, which ask for new versions. */
export const CHANGES = join(ROOT, '.changeset');

/** A package of this repository that has its own version, changelog and tags. */
export interface Released {
	readonly folder: string;
	/** What the tags of its releases begin with, before the version. */
	readonly tagPrefix: string;
	/** What it is made of, as git names it. */
	readonly paths: readonly string[];
	/** Steps that no program can check. */
	readonly byHand: readonly string[];
}

const TRUST =
	'npmjs.com: name this repository, publish.yml and the environment npm as the trusted publisher. For the very first version npm wants the package published once by hand.';

export const PACKAGES: readonly Released[] = [
	{
		folder: '.',
		tagPrefix: 'v',
		paths: ['package.json', 'README.md', 'credentials', 'nodes'],
		byHand: [
			TRUST,
			'https://creators.n8n.io/nodes: submit the package for verification when it is on npm; until then n8n Cloud does not offer it.',
		],
	},
	{
		folder: 'service',
		tagPrefix: 'service-v',
		paths: ['service'],
		byHand: [TRUST],
	},
];

/** What the scripts read of a package.json. */
export interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly private?: boolean;
	readonly author: { readonly email: string };
}

/** Reads a package.json. */
export async function readManifest(root: string, folder: string): Promise<Manifest> {
	return JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Returns the names of the change files. */
export async function changeFiles(): Promise<string[]> {
	const names = await readdir(CHANGES);
	return names.filter((name) => name.endsWith('.md') && name !== 'README.md');
}
