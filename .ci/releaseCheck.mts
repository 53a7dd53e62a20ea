/**
 * Lists what is left to do before a release, so that no placeholder is shipped by mistake.
 * `npm run release -- check`, or `npm run release -- check service-v0.2.0` for one package and its tag.
 * Exits with 1 if it finds something to fix.
 */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { licenseFindings } from './licenses.mts';
import { placeholders, publisherFaults, publisherTexts } from './publisher.mts';
import {
	chosenPackages,
	type Manifest,
	PACKAGES,
	readManifest,
	type Released,
	ROOT,
	tagFault,
} from './released.mts';

/** What the pages say until the packages are on npm and their maintainers have an address. */
const UNTIL_RELEASED = [
	'not on npm yet',
	'no mail address yet',
	'Once the package is on npm',
	'Nobody has submitted this package',
	'Public repository:** not yet',
];

/** The files that may name the publisher. */
const MANIFESTS = PACKAGES.map(({ folder }) => join(folder, 'package.json'));

/** Returns the other tracked files with one of these texts, in any case and across lines. */
async function filesWith(texts: readonly string[], ...only: readonly string[]): Promise<string[]> {
	const { stdout } = await execa('git', ['ls-files', '--', ...only], { cwd: ROOT });
	const found: string[] = [];
	for (const file of stdout.split('\n')) {
		if (MANIFESTS.includes(file)) continue;
		const content = await readFile(join(ROOT, file), 'utf8').catch(() => '');
		const line = content.replaceAll(/\s+/g, ' ').toLowerCase();
		if (texts.some((text) => line.includes(text.toLowerCase()))) found.push(file);
	}
	return found;
}

/**
 * Returns what else has to change before a package can be released. Only the tag of a release needs a dated
 * changelog.
 */
async function faultsOf(released: Released, { author }: Manifest, tag?: string): Promise<string[]> {
	const { folder } = released;
	const { name, version, ...rest } = await readManifest(ROOT, folder);
	const changelog = await readFile(join(ROOT, folder, 'CHANGELOG.md'), 'utf8');
	const [, section = '\n- '] = changelog
		.split(`\n## ${version} `)
		.map((part) => part.split('\n## ')[0]);
	const license = await readFile(join(ROOT, 'LICENSE'), 'utf8');
	const authorName = typeof author === 'string' ? author : (author.name ?? '');
	const faults = {
		'package.json is private, so npm would refuse it': rest.private === true,
		[`CHANGELOG.md has no heading with ${version} and its date`]:
			tag !== undefined && !changelog.includes(`\n## ${version} `),
		[`CHANGELOG.md says nothing about ${version}`]: tag !== undefined && !section.includes('\n- '),
		[`LICENSE does not name the author, ${authorName}`]: !license.includes(authorName),
		[`${name} ${version} is on npm already`]: isOnNpm(name, version),
	};
	const wrongTag = tagFault(released, version, tag);
	return [
		...Object.keys(faults).filter((fault) => faults[fault]),
		...(wrongTag === undefined ? [] : [wrongTag]),
	];
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

/** Prints what is left to fix, and returns how much that is. */
function report(title: string, faults: readonly string[], byHand: readonly string[] = []): number {
	if (faults.length + byHand.length > 0) console.log(`\n${title}`);
	for (const fault of faults) console.log(`  to fix   ${fault}`);
	for (const step of byHand) console.log(`  by hand  ${step}`);
	return faults.length;
}

const tag = process.argv.at(2);
const publisher = await readManifest(ROOT, '.');
const copies = await filesWith(publisherTexts(publisher));
const early = await filesWith(UNTIL_RELEASED, '*.md');
let found = report('The publisher, in package.json', [
	...placeholders(publisher),
	...publisherFaults(publisher, await readManifest(ROOT, 'service')),
	...copies.map((file) => `${file} names the publisher, too`),
	...early.map((file) => `${file} says what is true before the first release only`),
]);
for (const released of chosenPackages(tag)) {
	const { folder, byHand } = released;
	const title = folder === '.' ? 'The nodes' : `The package in ${folder}/`;
	found += report(title, await faultsOf(released, publisher, tag), byHand);
}
found += report('Licenses', licenseFindings());
console.log(`\n${found} to fix`);
if (found > 0) process.exitCode = 1;
