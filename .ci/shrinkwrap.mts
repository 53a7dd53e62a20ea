/**
 * Writes the npm-shrinkwrap.json of the service's package into this folder: the versions of package-lock.json,
 * which were tested, so that `npx` installs no others. npm itself makes none for a workspace.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './released.mts';

/** A package in a lock file. */
interface LockedPackage {
	readonly version?: string;
	readonly optional?: boolean;
	readonly dev?: boolean;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
	readonly peerDependencies?: Readonly<Record<string, string>>;
	readonly peerDependenciesMeta?: Readonly<
		Partial<Record<string, { readonly optional?: boolean }>>
	>;
}

/** The packages of a lock file by place, such as `node_modules/a/node_modules/b`; the project itself is at ''. */
type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Returns the place where Node finds a package from a place; undefined if it is not installed. */
function placeOf(packages: LockedPackages, from: string, name: string): string | undefined {
	for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
		const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
		if (!folder.endsWith('node_modules') && Object.hasOwn(packages, place)) return place;
		if (folder === '') return undefined;
	}
}

/** A package that another one needs, and whether that works without it. */
interface Needed {
	readonly name: string;
	readonly source: string;
	readonly isOptional: boolean;
}

/** Returns the installed packages that the one at a place needs. @throws Error if one is missing. */
function neededBy(packages: LockedPackages, place: string): Needed[] {
	const { dependencies = {}, optionalDependencies = {}, ...peers } = packages[place];
	const { peerDependencies = {}, peerDependenciesMeta = {} } = peers;
	const isOptional = (name: string) =>
		name in optionalDependencies || peerDependenciesMeta[name]?.optional === true;
	const names = [dependencies, optionalDependencies, peerDependencies].flatMap(Object.keys);
	return [...new Set(names)].flatMap((name) => {
		const source = placeOf(packages, place, name);
		const needed = { name, source: source ?? '', isOptional: isOptional(name) };
		// A peer that is there for development may be a coincidence.
		if (needed.isOptional && (source === undefined || packages[source].dev)) return [];
		if (source !== undefined) return [needed];
		throw new Error(`package-lock.json has no ${name}, which ${place} needs`);
	});
}

/** What a lock file says of a package only for its own project. JSON leaves these out. */
const UNMARKED = { dev: undefined, devOptional: undefined, peer: undefined };

/** A package to place, for the one at `parent`. */
type Need = Needed & { readonly parent: string };

/** Cuts out what a workspace needs. Each package stays as it is; only its place changes. */
function cutOut(packages: LockedPackages, workspace: string): LockedPackages {
	const cut: Record<string, LockedPackage> = {};
	/** Where the lock file has each package of the cut. */
	const sources = new Map<string, string>([['', workspace]]);
	const needsAt = (parent: string, isOptionalThere: boolean): Need[] =>
		neededBy(packages, sources.get(parent) ?? '').map(({ isOptional, ...needed }) => {
			return { ...needed, parent, isOptional: isOptional || isOptionalThere };
		});
	// What is needed at any rate comes first, so that the rest is marked as optional.
	const queue = needsAt('', false);
	for (let need = nextOf(queue); need !== undefined; need = nextOf(queue)) {
		const { parent, name, source, isOptional } = need;
		const found = placeOf(cut, parent, name);
		if (found !== undefined && sources.get(found) === source) continue;
		const place = found === undefined ? `node_modules/${name}` : `${parent}/node_modules/${name}`;
		cut[place] = { ...packages[source], ...UNMARKED, optional: isOptional ? true : undefined };
		sources.set(place, source);
		queue.push(...needsAt(place, isOptional));
	}
	assertSame(packages, cut, sources);
	return Object.fromEntries(Object.entries(cut).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Takes the first need that is not optional, or else the first. */
function nextOf(queue: Need[]): Need | undefined {
	const index = queue.findIndex(({ isOptional }) => !isOptional);
	return queue.splice(Math.max(0, index), 1).at(0);
}

/** @throws Error unless each package of the cut finds the same packages as in the lock file. */
function assertSame(
	packages: LockedPackages,
	cut: LockedPackages,
	sources: ReadonlyMap<string, string>,
) {
	for (const [place, source] of sources) {
		for (const needed of neededBy(packages, source)) {
			const found = placeOf(cut, place, needed.name);
			if (found !== undefined && sources.get(found) === needed.source) continue;
			throw new Error(`${place} would find another ${needed.name} than in package-lock.json`);
		}
	}
}

/** Returns the shrinkwrap of the service's package. */
export function shrinkwrap(): object {
	const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as unknown;
	const { lockfileVersion, packages } = read('package-lock.json') as {
		lockfileVersion: number;
		packages: LockedPackages;
	};
	const { name, version, license, bin, engines, dependencies, optionalDependencies } = read(
		'service/package.json',
	) as Record<string, unknown>;
	const own = { name, version, license, bin, engines, dependencies, optionalDependencies };
	const all = { '': own, ...cutOut(packages, 'service') };
	return { name, version, lockfileVersion, requires: true, packages: all };
}

if (import.meta.main) {
	writeFileSync('npm-shrinkwrap.json', `${JSON.stringify(shrinkwrap(), null, 2)}\n`);
}
