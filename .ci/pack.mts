/**
 * Packs one package for npm: `npm run release -- pack v1.2.3`, or `service-v0.2.0`, into this folder. What npm
 * shows cannot use links to files beside it, and the service's package.json names no author and no
 * repository: both come from the one package.json that does.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';

import { repositoryAddress } from './publisher.mts';
import { chosenPackages, readManifest, type Released, ROOT, tagFault } from './released.mts';
import { sbom } from './sbom.mts';

/** Targets of links and pictures: in Markdown, and in the HTML within it. */
const TARGET = /(\]\(|(?:src|srcset|href)=")([^")\s]+)/g;

const PICTURE = /\.(png|gif|svg)$/;

/** Makes the links and pictures of a page absolute. @param folder of the page, in the repository. */
export function withAbsoluteLinks(markdown: string, folder: string, repository: string): string {
	const raw = repository.replace('https://github.com/', 'https://raw.githubusercontent.com/');
	return markdown.replace(TARGET, (whole, before: string, target: string) => {
		if (/^(https?:|mailto:|#)/.test(target)) return whole;
		const path = posix.join(folder, target);
		return (
			before + (PICTURE.test(path) ? `${raw}/main/${path}` : `${repository}/blob/main/${path}`)
		);
	});
}

/** Changes the text of a file of the unpacked package. */
async function change(path: string, changed: (text: string) => string): Promise<void> {
	await writeFile(path, changed(await readFile(path, 'utf8')));
}

/** Packs into this folder and returns the name of the file. */
async function pack({ folder }: Released): Promise<string> {
	const publisher = await readManifest(ROOT, '.');
	const { author, repository, homepage, bugs } = publisher;
	const address = repositoryAddress(publisher);
	const work = await mkdtemp(join(tmpdir(), 'audio-editing-pack-'));
	try {
		const npm = (args: readonly string[], cwd = join(ROOT, folder)) =>
			execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
		if (folder === '.') npm(['run', '--silent', 'build']);
		const [packed] = npm(['pack', '--silent', '--pack-destination', work])
			.trim()
			.split('\n')
			.slice(-1);
		execFileSync('tar', ['-xzf', packed], { cwd: work });
		const unpacked = join(work, 'package');
		await change(join(unpacked, 'README.md'), (text) => withAbsoluteLinks(text, folder, address));
		await change(join(unpacked, 'package.json'), (text) => {
			const own = { author, homepage, bugs, repository: { ...repository } };
			if (folder !== '.') {
				own.homepage = `${address}/tree/main/${folder}#readme`;
				own.repository.directory = folder;
			}
			return `${JSON.stringify({ ...JSON.parse(text), ...own }, null, 2)}\n`;
		});
		if (folder === 'service') {
			const { document } = sbom();
			await writeFile(join(unpacked, 'sbom.cdx.json'), JSON.stringify(document, null, 2));
		}
		npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', process.cwd()], unpacked);
		return packed;
	} finally {
		await rm(work, { recursive: true, force: true });
	}
}

if (import.meta.main) {
	const tag = process.argv.at(2);
	for (const released of chosenPackages(tag)) {
		const { version } = await readManifest(ROOT, released.folder);
		const fault = tagFault(released, version, tag);
		if (fault !== undefined) throw new Error(fault);
		console.log(await pack(released));
	}
}
