/** What container/Dockerfile and compose.yaml say, read so that the rehearsal follows them. */
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { execa } from 'execa';
import { parse } from 'yaml';

import { ROOT } from '../places.mts';

const dockerfile = (await readFile(join(ROOT, 'container', 'Dockerfile'), 'utf8')).replace(
	/\\\n\s*/g,
	'',
);

const stages = dockerfile.split(/^FROM /m);

/** The instructions of the stage that builds the package. */
const BUILD = stages.find((stage) => stage.includes(' AS build\n'))?.split('\n') ?? [];

/** The instructions of the image that people start. */
const FINAL = stages.at(-1) ?? '';

/** The command that the image starts with: our script, and the one of n8n's own image. */
export const ENTRYPOINT = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(FINAL)?.[1] ?? '[]') as string[];

/** The variables that the image adds. */
export const IMAGE_ENV = Object.fromEntries(
	[...FINAL.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
);

interface ComposeService {
	readonly environment: Readonly<Record<string, string>>;
	readonly tmpfs: readonly string[];
	readonly read_only: boolean;
}

const compose = parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8')) as {
	services: Readonly<Record<'n8n', ComposeService>>;
};

/** How compose.yaml starts that image. */
export const COMPOSED = compose.services.n8n;

/**
 * Builds the package as the image does: from the files that it copies, with the last command of its stage.
 * Its packages are those of this repository, which it installs from the same lock file.
 *
 * @param folder an empty one
 * @returns the packed package, and the folder with its files
 */
export async function buildPackage(folder: string): Promise<{ packed: string; unpacked: string }> {
	const [source, unpacked] = [join(folder, 'source'), join(folder, 'unpacked')];
	await mkdir(source);
	for (const line of BUILD.filter((text) => text.startsWith('COPY '))) {
		for (const path of line.split(' ').slice(1, -1)) {
			await mkdir(join(source, dirname(path)), { recursive: true });
			await cp(join(ROOT, path), join(source, path), { recursive: true });
		}
	}
	await symlink(join(ROOT, 'node_modules'), join(source, 'node_modules'));
	const command = BUILD.findLast((text) => text.startsWith('RUN ')) ?? '';
	const build = command.slice('RUN '.length).replaceAll(' /unpacked', ` ${unpacked}`);
	const { stdout } = await execa('bash', ['-c', build], { cwd: source });
	return { packed: join(source, stdout.trim()), unpacked: join(unpacked, 'package') };
}
