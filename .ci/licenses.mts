/** Whether all that the service's package and image contain may be given on; a part of `npm run release -- check`. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './released.mts';

/** Licenses that let anyone give the software on, with their text. */
const FREE = new Set(
	'MIT MIT-0 ISC 0BSD Unlicense BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 Apache-2.0'.split(' '),
);

/** A package in an SBOM of CycloneDX. */
export interface Component {
	readonly name: string;
	readonly version?: string;
	readonly licenses?: readonly {
		readonly license?: { readonly id?: string; readonly name?: string };
		readonly expression?: string;
	}[];
}

/** Returns a line for each package that may not be given on. */
export function boundPackages(components: readonly Component[]): string[] {
	const isFree = (expression: string) =>
		expression
			.replace(/[()]/g, '')
			.split(' OR ')
			.some((one) => FREE.has(one));
	return components.flatMap(({ name, version, licenses = [] }) => {
		const stated = licenses.map(({ license, expression }) => {
			return expression ?? license?.id ?? license?.name ?? '';
		});
		if (stated.length > 0 && stated.every(isFree)) return [];
		return [`${name} ${version}: ${stated.join(', ') || 'no license'}`];
	});
}

/** Returns what a notice does not name. */
export function unnamed(notice: string, names: readonly string[]): string[] {
	const words = new Set(notice.split(/[\s,]+/));
	return names.filter((name) => !words.has(name)).map((name) => `${name}: not in service/NOTICE`);
}

/** Returns the compiled code and the weights in packages and in the service, and what the image installs. */
function parts(components: readonly Component[]): string[] {
	const inPackages = components.flatMap(({ name }) =>
		globSync(`${name}/**/*.{wasm,onnx,bin,tflite}`, {
			cwd: join(ROOT, 'node_modules'),
			exclude: (path) => path.split('/').includes('node_modules'),
		}),
	);
	const weights = globSync('engine/**/*.{tflite,onnx,bin,min.mjs}', { cwd: join(ROOT, 'service') });
	const dockerfile = readFileSync(join(ROOT, 'service', 'Dockerfile'), 'utf8');
	// What only the stages before install is not in the image.
	const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
	const [, installed = ''] = /--no-install-recommends ([^\\]+)/.exec(last) ?? [];
	return [...inPackages, ...weights, ...installed.trim().split(/\s+/)];
}

/** Returns a line for each part of the service's package and image that may not be given on. */
export function licenseFindings(): string[] {
	// The lock file has the packages of all platforms.
	const args = ['sbom', '-w', 'service', '--omit', 'dev', '--package-lock-only'];
	const text = execFileSync('npm', [...args, '--sbom-format', 'cyclonedx'], {
		cwd: ROOT,
		encoding: 'utf8',
		maxBuffer: 1e8,
	});
	const { components } = JSON.parse(text) as { components: readonly Component[] };
	const notice = readFileSync(join(ROOT, 'service', 'NOTICE'), 'utf8');
	return [...boundPackages(components), ...unnamed(notice, parts(components))];
}
