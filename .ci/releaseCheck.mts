/**
 * Lists what is left to do before a release, so that no placeholder is shipped by mistake.
 * `npm run release -- check`, or `npm run release -- check service-v0.2.0` for one package and its tag.
 * Exits with 1 if it finds something to fix.
 */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { changeFiles, CHANGES, PACKAGES, readManifest, type Released, ROOT } from './released.mts';

/** The placeholder owner of the repository; no such account exists. */
const NO_OWNER = 'github.com/audio-editing-nodes/';

/** Returns what has to change before a package can be released with a tag. */
async function faultsOf(released: Released, tag?: string): Promise<string[]> {
	const { folder, tagPrefix, paths } = released;
	const { name, version, author, ...rest } = await readManifest(ROOT, folder);
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
	const open = (await changesOf(name)).map((file) => {
		return `.changeset/${file} asks for another version: run npm run release -- version`;
	});
	return [...Object.keys(faults).filter((fault) => faults[fault]), ...open, ...placeholders];
}

/** Returns the change files that name a package. */
async function changesOf(name: string): Promise<string[]> {
	const files: string[] = [];
	for (const file of await changeFiles()) {
		const text = await readFile(join(CHANGES, file), 'utf8');
		if (/^---\n([^]*?)\n---/.exec(text)?.[1].includes(name)) files.push(file);
	}
	return files;
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
const chosen = PACKAGES.filter(({ tagPrefix }) => tag?.startsWith(tagPrefix) ?? true);
if (chosen.length === 0)
	throw new Error(`${tag} is not a release tag: use v1.2.3 or service-v1.2.3`);
for (const released of chosen) {
	const faults = await faultsOf(released, tag);
	console.log(`\n${released.folder === '.' ? 'The nodes' : `The package in ${released.folder}/`}`);
	for (const fault of faults) console.log(`  to fix   ${fault}`);
	for (const step of released.byHand) console.log(`  by hand  ${step}`);
	if (faults.length > 0) process.exitCode = 1;
}
