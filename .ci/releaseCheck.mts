/**
 * Lists what is left to do before a release, so that no placeholder is shipped by mistake.
 * `npm run release -- check`, or `npm run release -- check service-v0.2.0` for one package and its tag.
 * Exits with 1 if it finds something to fix.
 */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { printBars } from '../testkit/measure/bars.mts';
import { placeholders, publisherTexts } from './publisher.mts';
import {
	changeFiles,
	CHANGES,
	chosenPackages,
	type Manifest,
	readManifest,
	type Released,
	ROOT,
	tagFault,
} from './released.mts';
import { sbom } from './sbom.mts';

/** What the pages say until the packages are on npm and their maintainers have an address. */
const UNTIL_RELEASED = [
	'not on npm yet',
	'no mail address yet',
	'Once the package is on npm',
	'Nobody has submitted this package',
	'Public repository:** not yet',
];

/** Returns the tracked files beside package.json with one of these texts, in any case and across lines. */
async function filesWith(texts: readonly string[], ...only: readonly string[]): Promise<string[]> {
	const { stdout } = await execa('git', ['ls-files', '--', ...only], { cwd: ROOT });
	const found: string[] = [];
	for (const file of stdout.split('\n')) {
		if (file === 'package.json') continue;
		const content = await readFile(join(ROOT, file), 'utf8').catch(() => '');
		const line = content.replaceAll(/\s+/g, ' ').toLowerCase();
		if (texts.some((text) => line.includes(text.toLowerCase()))) found.push(file);
	}
	return found;
}

/**
 * Returns what else has to change before a package can be released. Only the tag of a release needs a dated
 * changelog: `npm run release -- version` dates it.
 */
async function faultsOf(released: Released, { author }: Manifest, tag?: string): Promise<string[]> {
	const { folder } = released;
	const { name, version, ...rest } = await readManifest(ROOT, folder);
	const changelog = await readFile(join(ROOT, folder, 'CHANGELOG.md'), 'utf8');
	const [, section = '\n- '] = changelog
		.split(`\n## ${version} `)
		.map((part) => part.split('\n## ')[0]);
	const licence = await readFile(join(ROOT, 'LICENSE'), 'utf8');
	const authorName = typeof author === 'string' ? author : (author.name ?? '');
	const faults = {
		'package.json is private, so npm would refuse it': rest.private === true,
		[`CHANGELOG.md has no heading for ${version}: run npm run release -- version`]:
			tag !== undefined && !changelog.includes(`\n## ${version} `),
		[`CHANGELOG.md says nothing about ${version}`]: tag !== undefined && !section.includes('\n- '),
		[`LICENSE does not name the author, ${authorName}`]: !licence.includes(authorName),
		[`${name} ${version} is on npm already`]: isOnNpm(name, version),
	};
	const open = (await changesOf(name)).map((file) => {
		return `.changeset/${file} asks for another version: run npm run release -- version`;
	});
	const wrongTag = tagFault(released, version, tag);
	return [
		...Object.keys(faults).filter((fault) => faults[fault]),
		...(wrongTag === undefined ? [] : [wrongTag]),
		...open,
	];
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
const copies = await filesWith(publisherTexts(publisher));
const early = await filesWith(UNTIL_RELEASED, '*.md');
console.log('\nThe publisher, in package.json');
for (const one of left) console.log(`  to fix   ${one}`);
for (const file of copies) console.log(`  to fix   ${file} names the publisher, too`);
for (const file of early)
	console.log(`  to fix   ${file} says what is true before the first release only`);
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
if (left.length + early.length > 0) process.exitCode = 1;
