/**
 * Prints the SBOM of the service (CycloneDX): its packages, and the binaries and weights in them.
 * `npm run --silent release -- sbom`; `pack` adds it to the service's package. Exits with 1 if something in the package or the
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

/**
 * npm's FFmpeg, for each platform. It is not in the image, and may be given on: what finds the program is under
 * the LGPL and comes with its source, and the program is its own, under the GPL.
 */
const FFMPEG = /^@(ffmpeg|ffprobe)-installer\/(\1|(\w+)-\w+)$/;

/** whisper.cpp's packages, one for each platform. */
const WHISPER = /^@fugood\/node-whisper-/;

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
};

/** The weights that lie beside the service's own code. */
const WEIGHTS: Readonly<Record<string, readonly [name: string, licence: string]>> = {
	'engine/denoise/models/dtln/model_quant_f16_1.tflite': ['DTLN and weights', 'MIT'],
	'engine/denoise/models/dtln/model_quant_f16_2.tflite': ['DTLN and weights', 'MIT'],
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
	readonly 'bom-ref'?: string;
	readonly type: string;
	readonly name: string;
	readonly version?: string;
	readonly description?: string;
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
		if (FFMPEG.test(name)) return [];
		const stated = licenses.map(({ license, expression }) => {
			return expression ?? license?.id ?? license?.name ?? '';
		});
		if (stated.length > 0 && stated.every(isFree)) return [];
		return [`${name} ${version}: ${stated.join(', ') || 'no licence'}`];
	});
}

/** Returns the compiled files within the packages: those that `BINARIES` names, FFmpeg, and the rest. */
function binariesIn(components: readonly Component[]): { known: Component[]; unknown: string[] } {
	const known: Component[] = [];
	const unknown: string[] = [];
	for (const { name, version, ...library } of components) {
		const add = (path: string, [description, id]: readonly [string, string]) => {
			const ref = `${library['bom-ref']}#${path}`;
			const licenses = [{ license: { id } }];
			known.push({ 'bom-ref': ref, type: 'file', name: path, version, description, licenses });
		};
		const [, program, , system] = FFMPEG.exec(name) ?? [];
		// npm installs these only on their platform.
		if (WHISPER.test(name)) {
			add(`${name}/index.node`, ['whisper.cpp', 'MIT']);
			continue;
		}
		if (system) add(`${name}/${program}${system === 'win32' ? '.exe' : ''}`, ['FFmpeg', 'GPL-3.0']);
		const files = globSync(`${name}/**/*.{wasm,onnx,bin}`, {
			cwd: join(ROOT, 'node_modules'),
			exclude: (path) => path.split('/').includes('node_modules'),
		});
		for (const file of files) {
			if (Object.hasOwn(BINARIES, file)) add(file, BINARIES[file]);
			else unknown.push(file);
		}
	}
	return { known, unknown };
}

interface Document {
	readonly metadata: { readonly component: Component };
	readonly components: readonly Component[];
	readonly dependencies: readonly { readonly ref: string }[];
}

/** Corrects what npm says an SBOM of a workspace is about: the root, under the name of its folder. */
function aboutService(document: Document): Document {
	const manifest = readFileSync(join(ROOT, 'service', 'package.json'), 'utf8');
	const { name, version, description } = JSON.parse(manifest) as Record<string, string>;
	const { metadata, dependencies } = document;
	const { component: root } = metadata;
	const ref = `${name}@${version}`;
	const own = { 'bom-ref': ref, name, version, description, purl: `pkg:npm/${ref}` };
	return {
		...document,
		metadata: { ...metadata, component: { ...root, ...own } },
		dependencies: dependencies.filter((one) => one.ref !== root['bom-ref']),
	};
}

/** Returns the SBOM, and what of it may not be given on. */
export function sbom(): { document: object; findings: string[] } {
	// The lock file has the packages of all platforms.
	const args = ['sbom', '-w', 'service', '--omit', 'dev', '--package-lock-only'];
	args.push('--sbom-format', 'cyclonedx');
	const text = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
	const document = aboutService(JSON.parse(text) as Document);
	const { known, unknown } = binariesIn(document.components);
	for (const file of globSync('engine/**/*.{tflite,onnx,bin}', { cwd: join(ROOT, 'service') })) {
		const [description, id] = WEIGHTS[file] ?? [];
		if (!id) unknown.push(file);
		else known.push({ type: 'file', name: file, description, licenses: [{ license: { id } }] });
	}
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
