/**
 * `npm run release -- pack v1.2.3`, or `service-v0.2.0`: `npm pack` into this folder. `npm pack` alone would leave the
 * README with links to files beside it, and npm shows a README without them.
 */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

import { repositoryAddress } from './publisher.mts';
import { chosenPackages, readManifest, type Released, ROOT, tagFault } from './released.mts';

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

/** Packs into this folder, and leaves the README as it was. */
async function pack({ folder }: Released): Promise<void> {
	const readme = join(ROOT, folder, 'README.md');
	const text = await readFile(readme, 'utf8');
	const address = repositoryAddress(await readManifest(ROOT, folder));
	await writeFile(readme, withAbsoluteLinks(text, folder, address));
	try {
		const options = { cwd: join(ROOT, folder), stdio: 'inherit' } as const;
		const { status } = spawnSync('npm', ['pack', '--pack-destination', process.cwd()], options);
		if (status !== 0) throw new Error(`npm pack in ${folder} ended with ${String(status)}`);
	} finally {
		await writeFile(readme, text);
	}
}

if (import.meta.main) {
	const tag = process.argv.at(2);
	for (const released of chosenPackages(tag)) {
		const { version } = await readManifest(ROOT, released.folder);
		const fault = tagFault(released, version, tag);
		if (fault !== undefined) throw new Error(fault);
		await pack(released);
	}
}
