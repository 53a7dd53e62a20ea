import { accessSync, chmodSync, constants } from 'node:fs';
import { createRequire } from 'node:module';

import which from 'which';

/** Where the ffmpeg programs are. */
export interface FfmpegPrograms {
	ffmpegPath: string;
	ffprobePath: string;
	/** `npm`: the builds inside @ffmpeg-installer/ffmpeg and @ffprobe-installer/ffprobe. */
	source: 'PATH' | 'npm';
}

/** Environment variable that pins the source: `PATH` or `npm`. */
export const FFMPEG_SOURCE_VARIABLE = 'LOCAL_SERVICE_FFMPEG';

const ADVICE =
	'Install ffmpeg (https://ffmpeg.org/download.html, or "apt-get install ffmpeg") so that "ffmpeg" ' +
	'and "ffprobe" are on PATH, or run "npm install" without --omit=optional.';

/** Found once in a process, by the wish it was found for: the search touches every folder of PATH. */
const found = new Map<string, FfmpegPrograms>();

/**
 * Finds ffmpeg and ffprobe: on PATH first, else inside the npm packages.
 *
 * @param wish `PATH` or `npm` looks only there; defaults to the variable LOCAL_SERVICE_FFMPEG.
 * @throws Error that says what to install when neither is there.
 */
export function findFfmpeg(wish = process.env[FFMPEG_SOURCE_VARIABLE] ?? ''): FfmpegPrograms {
	const known = found.get(wish);
	if (known) return known;
	const programs = search(wish);
	found.set(wish, programs);
	return programs;
}

function search(wish: string): FfmpegPrograms {
	if (!['', 'PATH', 'npm'].includes(wish)) {
		throw new Error(`${FFMPEG_SOURCE_VARIABLE} is "${wish}"; it may be "PATH" or "npm".`);
	}
	const fromPath = wish === 'npm' ? undefined : programsOnPath();
	const programs = fromPath ?? (wish === 'PATH' ? undefined : programsOfPackages());
	if (!programs) throw new Error(`ffmpeg and ffprobe were not found. ${ADVICE}`);
	return programs;
}

function programsOnPath(): FfmpegPrograms | undefined {
	const ffmpegPath = which.sync('ffmpeg', { nothrow: true });
	const ffprobePath = which.sync('ffprobe', { nothrow: true });
	return ffmpegPath && ffprobePath ? { ffmpegPath, ffprobePath, source: 'PATH' } : undefined;
}

function programsOfPackages(): FfmpegPrograms | undefined {
	const ffmpegPath = pathFromPackage('@ffmpeg-installer/ffmpeg');
	const ffprobePath = pathFromPackage('@ffprobe-installer/ffprobe');
	if (ffmpegPath === undefined || ffprobePath === undefined) return undefined;
	return { ffmpegPath, ffprobePath, source: 'npm' };
}

/** The program a package brings; undefined when the package has none for this platform. */
function pathFromPackage(packageName: string): string | undefined {
	try {
		const exported: unknown = createRequire(import.meta.url)(packageName);
		if (typeof exported !== 'object' || exported === null || !('path' in exported))
			return undefined;
		const { path } = exported;
		if (typeof path !== 'string') return undefined;
		// With --ignore-scripts the package's own chmod has not run.
		if (!isExecutable(path)) chmodSync(path, 0o755);
		return path;
	} catch {
		// The packages throw (a plain text, some of them) on platforms they do not know.
		return undefined;
	}
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
