import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FastifyInstance } from 'fastify';

import { HttpProblem } from '../../protocol/problems.mts';

/** The folder of the page's script; its modules import each other by their names. */
const CLIENT = join(import.meta.dirname, 'client');

/** The packages that the script imports, by the names under which they are served. */
const PACKAGES: Readonly<Record<string, string>> = {
	'wavesurfer.js': 'wavesurfer.js',
	'regions.js': 'wavesurfer.js/plugins/regions',
};

/** The page's scripts by their names, and a version that changes with them. */
export interface ReviewAssets {
	readonly files: ReadonlyMap<string, string>;
	/** The path of the folder, ending with a slash. */
	readonly folder: string;
	/** The name of the module that starts the page. */
	readonly main: string;
	/** Where modules find the packages that they import. */
	readonly importMap: string;
}

/** Returns a module as browsers read it. Only the source has types; the built package has none. */
function scriptOf(path: string): string {
	const text = readFileSync(path, 'utf8');
	return extname(path) === '.mts' ? stripTypeScriptTypes(text, { mode: 'transform' }) : text;
}

function readAssets(): ReviewAssets {
	const own = readdirSync(CLIENT).filter(
		(name) => /\.m[jt]s$/.test(name) && !name.endsWith('.d.mts'),
	);
	const packages = Object.entries(PACKAGES).map(
		([name, id]) => [name, fileURLToPath(import.meta.resolve(id))] as const,
	);
	const paths = [...own.map((name) => [name, join(CLIENT, name)] as const), ...packages];
	const files = new Map(paths.map(([name, path]) => [name, scriptOf(path)]));
	const version = createHash('sha256')
		.update(JSON.stringify([...files]))
		.digest('hex')
		.slice(0, 16);
	const folder = `/review-assets/${version}/`;
	const imports = Object.entries(PACKAGES).map(([name, id]) => [id, folder + name]);
	const importMap = JSON.stringify({ imports: Object.fromEntries(imports) as object });
	return { files, folder, main: `main${extname(import.meta.filename)}`, importMap };
}

let assets: ReviewAssets | undefined;

/** Returns the scripts, which are read once. */
export function reviewAssets(): ReviewAssets {
	return (assets ??= readAssets());
}

/** GET /review-assets/{version}/{file}: the page's scripts. A browser may keep them as long as it likes. */
export function reviewAssetRoutes(routes: FastifyInstance): void {
	routes.get<{ Params: { version: string; file: string } }>(
		'/review-assets/:version/:file',
		async ({ params: { version, file } }, reply) => {
			const { files, folder } = reviewAssets();
			const script = folder === `/review-assets/${version}/` ? files.get(file) : undefined;
			if (script === undefined) throw new HttpProblem(404, 'There is no such file');
			return await reply
				.headers({
					'Content-Type': 'text/javascript; charset=utf-8',
					'Cache-Control': 'public, max-age=31536000, immutable',
					'X-Content-Type-Options': 'nosniff',
				})
				.send(script);
		},
	);
}
