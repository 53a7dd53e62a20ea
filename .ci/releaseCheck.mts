/**
 * Lists what is left to do before a release, so that no placeholder is shipped by mistake.
 * `npm run release:check`, or `npm run release:check -- service-v0.2.0` for one package and its tag.
 * Exits with 1 if it finds something to fix.
 */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A package of this repository. */
interface Released {
	readonly folder: string;
	/** What the tags of its releases begin with, before the version. */
	readonly tagPrefix: string;
	/** What it is made of, as git names it. */
	readonly paths: readonly string[];
	/** Steps that this program cannot check. */
	readonly byHand: readonly string[];
}

interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly private?: boolean;
	readonly author: { readonly email: string };
}

const TRUST =
	'npmjs.com: name this repository, publish.yml and the environment npm as the trusted publisher. For the very first version npm wants the package published once by hand.';

const PACKAGES: readonly Released[] = [
	{
		folder: '.',
		tagPrefix: 'v',
		paths: ['package.json', 'README.md', 'credentials', 'nodes'],
		byHand: [
			TRUST,
			'https://creators.n8n.io/nodes: submit the package for verification when it is on npm; until then n8n Cloud does not offer it.',
		],
	},
	{ folder: 'service', tagPrefix: 'service-v', paths: ['service'], byHand: [TRUST] },
];

/** The placeholder owner of the repository; no such account exists. */
const NO_OWNER = 'github.com/audio-editing-nodes/';

const ROOT = join(import.meta.dirname, '..');

/** Returns what has to change before a package can be released with a tag. */
async function faultsOf({ folder, tagPrefix, paths }: Released, tag?: string): Promise<string[]> {
	const text = await readFile(join(ROOT, folder, 'package.json'), 'utf8');
	const { name, version, author, ...rest } = JSON.parse(text) as Manifest;
	const changelog = await readFile(join(ROOT, folder, 'CHANGELOG.md'), 'utf8');
	const faults = {
		'package.json is private, so npm would refuse it': rest.private === true,
		[`author.email is ${author.email}, which nobody reads`]: author.email.endsWith('.example'),
		[`CHANGELOG.md has no heading for ${version}`]: !changelog.includes(`\n## ${version} `),
		[`the tag ${tag} is not ${tagPrefix}${version}`]:
			tag !== undefined && tag !== tagPrefix + version,
		[`${name} ${version} is on npm already`]: isOnNpm(name, version),
	};
	const placeholders = filesWith(NO_OWNER, paths).map((file) => `${file} names ${NO_OWNER}`);
	return [...Object.keys(faults).filter((fault) => faults[fault]), ...placeholders];
}

/** Returns the tracked files that hold a text. */
function filesWith(text: string, paths: readonly string[]): string[] {
	const search = ['grep', '-lF', text, '--', ...paths];
	const { stdout } = spawnSync('git', search, { cwd: ROOT, encoding: 'utf8' });
	return stdout.split('\n').filter((line) => line !== '');
}

/** @throws Error when npm gives no answer. */
function isOnNpm(name: string, version: string): boolean {
	const asked = ['view', `${name}@${version}`, 'version', '--json'];
	const { error, status, stdout } = spawnSync('npm', asked, { encoding: 'utf8' });
	if (error) throw error;
	if (status !== 0 && !stdout.includes('E404')) {
		throw new Error(`npm could not say whether ${name}@${version} is published: ${stdout}`);
	}
	return status === 0 && stdout.trim() !== '';
}

const tag = process.argv.at(2);
const chosen = PACKAGES.filter(({ tagPrefix }) => {
	return tag === undefined || new RegExp(`^${tagPrefix}\\d`).test(tag);
});
if (chosen.length === 0)
	throw new Error(`${tag} is not a release tag: use v1.2.3 or service-v1.2.3`);
for (const released of chosen) {
	const faults = await faultsOf(released, tag);
	console.log(`\n${released.folder === '.' ? 'The nodes' : `The package in ${released.folder}/`}`);
	for (const fault of faults) console.log(`  to fix   ${fault}`);
	for (const step of released.byHand) console.log(`  by hand  ${step}`);
	if (faults.length > 0) process.exitCode = 1;
}
