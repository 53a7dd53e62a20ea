import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';

import which from 'which';
import { z } from 'zod';

/** Paths of the ffmpeg programs. */
export interface FfmpegPrograms {
	ffmpegPath: string;
	ffprobePath: string;
	/** `npm`: the builds in @ffmpeg-installer/ffmpeg and @ffprobe-installer/ffprobe. */
	source: 'PATH' | 'npm';
}

/** Environment variable that pins the source: `PATH` or `npm`. */
export const FFMPEG_SOURCE_VARIABLE = 'LOCAL_SERVICE_FFMPEG';

/** How to install ffmpeg on each platform. */
const INSTALL_LINES: Readonly<Record<string, string>> = {
	linux:
		'apt-get install ffmpeg (Debian, Ubuntu), dnf install ffmpeg (Fedora) or apk add ffmpeg (Alpine)',
	darwin: 'brew install ffmpeg',
	win32: 'winget install Gyan.FFmpeg',
};

/** Says how to install ffmpeg on a platform. */
export function installAdvice(platform: string = process.platform): string {
	const line = INSTALL_LINES[platform] ?? 'https://ffmpeg.org/download.html';
	return `Install ffmpeg, so that "ffmpeg" and "ffprobe" are on the PATH: ${line}`;
}

/** Results by `wish`, cached because the search reads every folder on PATH. */
const found = new Map<string, FfmpegPrograms>();

/**
 * Finds ffmpeg and ffprobe: first on PATH, then in the npm packages, which only a checkout of the repository has.
 *
 * @param wish `PATH` or `npm` to search only there; default: the variable LOCAL_SERVICE_FFMPEG.
 * @throws Error that says what to install when neither has them.
 */
export function findFfmpeg(wish = process.env[FFMPEG_SOURCE_VARIABLE] ?? ''): FfmpegPrograms {
	const programs = found.get(wish) ?? search(wish);
	found.set(wish, programs);
	return programs;
}

function search(wish: string): FfmpegPrograms {
	if (!['', 'PATH', 'npm'].includes(wish)) {
		throw new Error(`${FFMPEG_SOURCE_VARIABLE} is "${wish}"; it must be "PATH" or "npm".`);
	}
	for (const source of ['PATH', 'npm'] as const) {
		if (wish !== '' && wish !== source) continue;
		const find = source === 'PATH' ? pathOnPath : pathFromPackage;
		const [ffmpegPath, ffprobePath] = [find('ffmpeg'), find('ffprobe')];
		if (ffmpegPath && ffprobePath) return { ffmpegPath, ffprobePath, source };
	}
	throw new Error(`ffmpeg and ffprobe were not found. ${installAdvice()}`);
}

function pathOnPath(program: string): string | null {
	return which.sync(program, { nothrow: true });
}

const packageSchema = z.object({ path: z.string() });

/** Path of the program in its package; null if there is none for this platform. */
function pathFromPackage(program: string): string | null {
	try {
		const exported: unknown = createRequire(import.meta.url)(`@${program}-installer/${program}`);
		const { path } = packageSchema.parse(exported);
		// With --ignore-scripts the package's own chmod has not run.
		if (which.sync(path, { nothrow: true }) === null) chmodSync(path, 0o755);
		return path;
	} catch {
		// On unsupported platforms the packages throw, some of them a plain string.
		return null;
	}
}
