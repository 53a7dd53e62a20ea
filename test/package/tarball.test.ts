/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they read files */
import { existsSync, readFileSync, readdirSync } from 'fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'fs/promises';
import { PackageDirectoryLoader } from 'n8n-core';
import { tmpdir } from 'os';
import { join, resolve } from 'path';

import { OUR_CREDENTIALS, OUR_NODES } from '../../testkit/n8n/ourNodes';
import { buildIfStale, unpackPackage } from '../../testkit/n8n/unpackedPackage';

const NAME = 'n8n-nodes-audio-editing';

const MAX_BYTES = 1_000_000;

/** Modules that n8n provides; the package finds nothing else. */
const GIVEN_BY_N8N = ['luxon', 'n8n-workflow', 'zod'];

/** What is compiled or copied to `dist`, by file extension. */
const SHIPPED_SOURCES = {
	'.ts': ['api', 'credentials', 'formats', 'nodes', 'waiting'],
	'.json': ['nodes'],
	'.svg': ['icons'],
};

interface Manifest {
	readonly homepage: string;
	readonly peerDependencies: Readonly<Record<string, string>>;
}

interface LockFile {
	readonly packages: Readonly<Record<string, { integrity?: string; resolved?: string }>>;
}

let temporary: string;
let unpacked: ReturnType<typeof unpackPackage>;
/** The paths of the package's files. */
let files: string[];
let manifest: Manifest;
let folderInN8n: string;

beforeAll(async () => {
	temporary = await mkdtemp(join(tmpdir(), 'audio-editing-package-'));
	buildIfStale();
	unpacked = unpackPackage(temporary);
	files = unpacked.files.map(({ path }) => path);
	manifest = JSON.parse(textOf('package.json')) as Manifest;
	folderInN8n = await installed();
});

afterAll(async () => {
	await rm(temporary, { recursive: true, force: true });
});

function textOf(path: string): string {
	return readFileSync(join(unpacked.folder, path), 'utf8');
}

/** Returns the names that the files of `dist` should have. */
function expectedInDist(): string[] {
	return Object.entries(SHIPPED_SOURCES).flatMap(([ending, folders]) =>
		folders
			.flatMap((folder) =>
				readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
					join(folder, path),
				),
			)
			.filter((path) => path.endsWith(ending))
			.map((path) => join('dist', path.replace(/\.ts$/, '.js'))),
	);
}

/** Unpacks the package where n8n keeps packages. @returns its folder there */
async function installed(): Promise<string> {
	const modules = join(temporary, 'host', 'node_modules');
	await mkdir(modules, { recursive: true });
	await cp(unpacked.folder, join(modules, NAME), { recursive: true });
	for (const name of GIVEN_BY_N8N) {
		await symlink(resolve('node_modules', name), join(modules, name));
	}
	return join(modules, NAME);
}

describe('the packed package', () => {
	it('contains the compiled and copied parts of the shipped sources, and nothing else', () => {
		const texts = ['LICENSE', 'README.md', 'package.json'];
		expect([...files].sort()).toEqual([...texts, ...expectedInDist()].sort());
	});

	it('names the repository as package.json does, in every link of the nodes', () => {
		const { homepage } = manifest;
		const codex = files.filter((path) => path.endsWith('.node.json')).map(textOf);
		const urls = codex.flatMap((text) => [...text.matchAll(/"url": "([^"]*)"/g)]);
		expect(urls).toHaveLength(2 * Object.keys(OUR_NODES).length);
		const pages = `${homepage.replace('#readme', '')}/blob/main/docs/`;
		expect(urls.filter(([, url]) => !url.startsWith(pages))).toEqual([]);
	});

	it('mentions no source map and no folder of this machine', () => {
		const telling = files.filter((path) => {
			const text = textOf(path);
			return text.includes('sourceMappingURL') || text.includes(resolve('.'));
		});
		expect(telling).toEqual([]);
	});

	it('needs only n8n at run time', () => {
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		for (const field of ['dependencies', 'optionalDependencies', 'bundleDependencies']) {
			expect(manifest).not.toHaveProperty(field);
		}
	});

	it('is small', () => {
		const { size, unpackedSize } = unpacked;
		process.stdout.write(
			`${NAME}: ${files.length} files, ${size} bytes packed, ${unpackedSize} unpacked\n`,
		);
		expect(unpackedSize).toBeLessThan(MAX_BYTES);
	});

	it('finds all its imports, including those a node loads on its first run', async () => {
		const compiled = files.filter((path) => path.endsWith('.js'));
		for (const path of compiled) await import(join(folderInN8n, path));
	});

	it('is loaded by n8n: every node and credential, with icons and codex', async () => {
		const loader = new PackageDirectoryLoader(folderInN8n);
		await loader.loadAll();
		const { nodeTypes, credentialTypes, types } = loader;
		const names = Object.keys(nodeTypes).map((name) => `${NAME}.${name}`);
		expect(names.sort()).toEqual(Object.keys(OUR_NODES).sort());
		expect(Object.keys(credentialTypes)).toEqual(Object.keys(OUR_CREDENTIALS));
		for (const { name, displayName, codex, iconUrl } of types.nodes) {
			expect({ name, displayName }).toEqual({
				name: expect.stringMatching(/./),
				displayName: expect.stringMatching(/^Audio Editing( |$)/),
			});
			// Without a codex, n8n's node panel lists a node in no category.
			expect(codex?.categories).not.toHaveLength(0);
			expectIcons(iconUrl);
		}
		for (const { type } of Object.values(credentialTypes)) expectIcons(type.iconUrl);
	});
});

it.each(['package-lock.json', 'test/mutation/package-lock.json'])(
	'%s names the address of each package, so that npm ci looks up none',
	(lockFile) => {
		const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as LockFile;
		const unnamed = Object.entries(packages).filter(([, { integrity, resolved }]) => {
			return integrity !== undefined && !resolved?.startsWith('https://registry.npmjs.org/');
		});
		expect(unnamed.map(([path]) => path)).toEqual([]);
	},
);

/** n8n serves icons from `icons/<package>/<path>`. */
function expectIcons(iconUrl: unknown): void {
	expect(iconUrl).toEqual({ light: expect.any(String), dark: expect.any(String) });
	for (const url of Object.values(iconUrl as object) as string[]) {
		expect(url.startsWith(`icons/${NAME}/`)).toBe(true);
		expect(existsSync(join(unpacked.folder, url.slice(`icons/${NAME}/`.length)))).toBe(true);
	}
}
