/**
 * Lists what is left to do before a release, so that no placeholder is shipped by mistake.
 * `npm run release -- check`, or `npm run release -- check service-v0.2.0` for one package and its tag.
 * Exits with 1 if it finds something to fix.
 */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { printBars } from '../bench/bars.mts';
import {
	changeFiles,
	CHANGES,
	chosenPackages,
	type Manifest,
	readManifest,
	type Released,
	ROOT,
} from './released.mts';
import { sbom } from './sbom.mts';

/** Returns what is left of the placeholders in the one place that has them: the nodes' package.json. */
function placeholders({ author, homepage, bugs, repository }: Manifest): string[] {
	const urls = { homepage, bugs, 'repository.url': repository.url };
	const unreal = Object.entries(urls).filter(([, url]) => /\/audio-editing-nodes\//.test(url));
	return [
		...(author.email.endsWith('.example') ? [`author.email is ${author.email}`] : []),
		...unreal.map(([key, url]) => `${key} is ${url}`),
	];
}

/** Returns the tracked files beside that package.json that name its author's address or its repository. */
function copiesElsewhere({ author, homepage }: Manifest): string[] {
	const owner = new URL(homepage).pathname.split('/')[1];
	const texts = [author.email, `github.com/${owner}/`].flatMap((text) => ['-e', text]);
	const { stdout } = spawnSync('git', ['grep', '-lF', ...texts], { cwd: ROOT, encoding: 'utf8' });
	return stdout.split('\n').filter((file) => file !== '' && file !== 'package.json');
}

/**
 * Returns what else has to change before a package can be released. Only the tag of a release needs a dated
 * changelog: `npm run release -- version` dates it.
 */
async function faultsOf(
	{ folder, tagPrefix }: Released,
	{ author }: Manifest,
	tag?: string,
): Promise<string[]> {
	const { name, version, ...rest } = await readManifest(ROOT, folder);
	const changelog = await readFile(join(ROOT, folder, 'CHANGELOG.md'), 'utf8');
	const licence = await readFile(join(ROOT, 'LICENSE'), 'utf8');
	const faults = {
		'package.json is private, so npm would refuse it': rest.private === true,
		[`CHANGELOG.md has no heading for ${version}: run npm run release -- version`]:
			tag !== undefined && !changelog.includes(`\n## ${version} `),
		[`LICENSE does not name the author, ${author.name}`]: !licence.includes(author.name),
		[`the tag ${tag} is not ${tagPrefix}${version}`]:
			tag !== undefined && tag !== tagPrefix + version,
		[`${name} ${version} is on npm already`]: isOnNpm(name, version),
	};
	const open = (await changesOf(name)).map((file) => {
		return `.changeset/${file} asks for another version: run npm run release -- version`;
	});
	return [...Object.keys(faults).filter((fault) => faults[fault]), ...open];
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
const publisher = await readManifest(ROOT, '.');
const left = placeholders(publisher);
const copies = copiesElsewhere(publisher);
console.log('\nThe publisher, in package.json');
for (const one of left) console.log(`  to fix   ${one}, a placeholder`);
for (const file of copies) console.log(`  to fix   ${file} names the publisher, too`);
let found = 0;
for (const released of chosenPackages(tag)) {
	const faults = await faultsOf(released, publisher, tag);
	found += faults.length;
	console.log(`\n${released.folder === '.' ? 'The nodes' : `The package in ${released.folder}/`}`);
	for (const fault of faults) console.log(`  to fix   ${fault}`);
	for (const step of released.byHand) console.log(`  by hand  ${step}`);
}
const { findings } = sbom();
if (findings.length > 0) console.log('\nLicences');
for (const finding of findings) console.log(`  to fix   ${finding}`);
console.log('');
printBars([
	{ name: 'licences that may not be given on', figure: findings.length, limit: 0, decimals: 0 },
	{ name: 'placeholders outside the one place', figure: copies.length, limit: 0, decimals: 0 },
	{
		name: "findings of release:check that are not that place's",
		figure: found,
		limit: 0,
		decimals: 0,
	},
]);
if (left.length > 0) process.exitCode = 1;
