import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** A package of this repository that has its own version, changelog and tags. */
export interface Released {
	readonly folder: string;
	/** What the tags of its releases begin with, before the version. */
	readonly tagPrefix: string;
	/** Steps that no program can check. */
	readonly byHand: readonly string[];
}

const FIRST =
	'The first version also needs the steps in docs/development/releases.md, some of them before the tag.';

export const PACKAGES: readonly Released[] = [
	{
		folder: '.',
		tagPrefix: 'v',
		byHand: [
			FIRST,
			"n8n wants package.json's author to match the package's maintainer on npm.",
			'Ask n8n whether a package may name no provider: verified packages are for one third-party service.',
			'https://creators.n8n.io/nodes: submit the package for verification when it is on npm; until then n8n Cloud does not offer it.',
		],
	},
	{
		folder: 'service',
		tagPrefix: 'service-v',
		byHand: [FIRST],
	},
];

/** Returns the package that a tag is for; all without a tag. @throws Error for another text. */
export function chosenPackages(tag: string | undefined): readonly Released[] {
	const chosen = PACKAGES.filter(({ tagPrefix }) => tag?.startsWith(tagPrefix) ?? true);
	if (chosen.length > 0) return chosen;
	throw new Error(`${tag} is not a release tag: use v1.2.3 or service-v1.2.3`);
}

/** Returns what is wrong with the tag of a package that has this version; undefined without a tag, and if nothing is. */
export function tagFault(
	{ tagPrefix }: Pick<Released, 'tagPrefix'>,
	version: string,
	tag: string | undefined,
): string | undefined {
	const right = tagPrefix + version;
	return tag === undefined || tag === right ? undefined : `the tag ${tag} is not ${right}`;
}

/** What the scripts read of a package.json. */
export interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly private?: boolean;
	/** npm also takes a text, which `placeholders` refuses. */
	readonly author: string | { readonly name?: string; readonly email?: string };
	readonly homepage: string;
	readonly bugs: string;
	readonly repository: { type: string; url: string; directory?: string };
}

/** Reads a package.json. */
export async function readManifest(root: string, folder: string): Promise<Manifest> {
	return JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}
