/**
 * Prints the SBOM of the service (CycloneDX): its packages, and the binaries and weights in them.
 * `npm run --silent release -- sbom > service/sbom.cdx.json`. Exits with 1 if something in the package or the
 * image may not be given on.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './released.mts';

/** Licences that let anyone give the software on, with their text. */
const FREE = new Set(
	'MIT MIT-0 ISC 0BSD Unlicense BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 Apache-2.0'.split(' '),
);

/** What may be given on under conditions that we keep, by name, and why. */
const KEPT: Readonly<Record<string, string>> = {
	'@ffmpeg-installer/ffmpeg': 'LGPL-2.1: it only finds the program, and npm brings its source',
	'@ffprobe-installer/ffprobe': 'LGPL-2.1: it only finds the program, and npm brings its source',
	'@ffmpeg-installer/linux-x64': 'GPL-3.0: a program of its own; not in the image',
	'@ffprobe-installer/linux-x64': 'GPL-3.0: a program of its own; not in the image',
};

/** Compiled code and weights within packages: what they are, where they differ from their package. */
const BINARIES: Readonly<Record<string, readonly [name: string, licence: string]>> = {
	'@echogarden/fvad-wasm/fvad.wasm': ['WebRTC voice activity detection', 'BSD-3-Clause'],
	'@echogarden/pffft-wasm/dist/simd/pffft.wasm': ['PFFFT', 'BSD-3-Clause'],
	'@echogarden/pffft-wasm/dist/non-simd/pffft.wasm': ['PFFFT', 'BSD-3-Clause'],
	'@sapphi-red/web-noise-suppressor/dist/rnnoise.wasm': ['RNNoise and weights', 'BSD-3-Clause'],
	'@sapphi-red/web-noise-suppressor/dist/rnnoise_simd.wasm': [
		'RNNoise and weights',
		'BSD-3-Clause',
	],
	'@sapphi-red/web-noise-suppressor/dist/speex.wasm': ['SpeexDSP', 'BSD-3-Clause'],
	'@sapphi-red/web-noise-suppressor/dist/gtcrn.wasm': ['GTCRN and weights', 'MIT'],
	'@fugood/node-whisper-linux-x64/index.node': ['whisper.cpp', 'MIT'],
	'@ffmpeg-installer/linux-x64/ffmpeg': ['FFmpeg', 'GPL-3.0'],
	'@ffprobe-installer/linux-x64/ffprobe': ['FFmpeg', 'GPL-3.0'],
};

/** What the image takes from Debian, which offers the source of each. */
const DEBIAN: Readonly<Record<string, string>> = {
	ffmpeg: 'GPL-2.0-or-later',
	libgomp1: 'GPL-3.0-or-later with the GCC runtime exception',
	pocketsphinx: 'BSD-2-Clause',
	'pocketsphinx-en-us': 'BSD-2-Clause',
	tini: 'MIT',
};

export interface Component {
	readonly type: string;
	readonly name: string;
	readonly version?: string;
	readonly licenses?: readonly {
		readonly license?: { readonly id?: string; readonly name?: string };
		readonly expression?: string;
	}[];
}

/** Returns a line for each component that may not be given on. */
export function licenceFindings(components: readonly Component[]): string[] {
	const isFree = (expression: string) =>
		expression
			.replace(/[()]/g, '')
			.split(' OR ')
			.some((one) => FREE.has(one));
	return components.flatMap(({ name, version, licenses = [] }) => {
		if (Object.hasOwn(KEPT, name)) return [];
		const stated = licenses.map(({ license, expression }) => {
			return expression ?? license?.id ?? license?.name ?? '';
		});
		if (stated.length > 0 && stated.every(isFree)) return [];
		return [`${name} ${version}: ${stated.join(', ') || 'no licence'}`];
	});
}

/** Returns the compiled files within the packages: those that `BINARIES` names, and the rest. */
function binariesIn(components: readonly Component[]): { known: Component[]; unknown: string[] } {
	const folders = components.filter(({ type }) => type === 'library').map(({ name }) => name);
	const files = folders.flatMap((name) =>
		globSync(`${name}/**/{*.wasm,*.onnx,*.bin,*.node,ffmpeg,ffprobe}`, {
			cwd: join(ROOT, 'node_modules'),
			exclude: (path) => path.split('/').includes('node_modules'),
		}),
	);
	const known = files.filter((file) => Object.hasOwn(BINARIES, file));
	return {
		known: known.map((name) => {
			const [description, id] = BINARIES[name];
			return { type: 'file', name, description, licenses: [{ license: { id } }] };
		}),
		unknown: files.filter((file) => !known.includes(file)),
	};
}

/** Returns the SBOM, and what of it may not be given on. */
export function sbom(): { document: object; findings: string[] } {
	const args = ['sbom', '-w', 'service', '--omit', 'dev', '--sbom-format', 'cyclonedx'];
	const text = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
	const document = JSON.parse(text) as { components: Component[] };
	const { known, unknown } = binariesIn(document.components);
	const dockerfile = readFileSync(join(ROOT, 'service', 'Dockerfile'), 'utf8');
	const [, installed = ''] = /--no-install-recommends ([^\\]+)/.exec(dockerfile) ?? [];
	const debian = installed.trim().split(/\s+/);
	const findings = [
		...licenceFindings(document.components),
		...unknown.map((file) => `${file}: nobody has said what it is`),
		...debian.filter((name) => !Object.hasOwn(DEBIAN, name)).map((name) => `${name}, in the image`),
	];
	return { document: { ...document, components: [...document.components, ...known] }, findings };
}

if (import.meta.main) {
	const { document, findings } = sbom();
	console.log(JSON.stringify(document, null, 2));
	for (const finding of findings) console.error(finding);
	if (findings.length > 0) process.exitCode = 1;
}
