/**
 * Runs the rules of n8n's scanner, which decides on verified community nodes, on the packed package
 * and on its sources. The scanner itself only accepts packages that are already in the npm
 * registry. Exits with 1 if there are findings.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildIfStale, unpackPackage } from '../testkit/n8n/unpackedPackage.ts';

/** The exports of the scanner that we use; it has no types. */
interface Scanner {
	readonly analyzePackage: (folder: string, patterns: readonly string[]) => Promise<Verdict>;
	/** The files it reads in a repository. */
	readonly SOURCE_FILE_PATTERNS: readonly string[];
}

interface Verdict {
	readonly passed: boolean;
	readonly message?: string;
	readonly details?: string;
}

const SCANNER: string = '@n8n/scan-community-package/scanner/scanner.mjs';

/** The files it reads in a published package. */
const PACKAGE_FILE_PATTERNS = ['**/*.js', 'package.json'];

const ROOT = join(import.meta.dirname, '..');

async function scan(temporary: string): Promise<boolean> {
	buildIfStale();
	const { folder, files } = unpackPackage(temporary);
	// On import, the scanner creates a temporary folder and does not delete it.
	process.env['TMPDIR'] = temporary;
	const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(SCANNER)) as Scanner;
	const verdicts = {
		'the packed package': await analyzePackage(folder, PACKAGE_FILE_PATTERNS),
		'the sources': await analyzePackage(ROOT, SOURCE_FILE_PATTERNS),
	};
	for (const [what, { passed, message = '', details = '' }] of Object.entries(verdicts)) {
		console.log(`${what}: ${passed && message === '' ? 'no findings' : `${message}\n${details}`}`);
	}
	console.log(`(${files.length} files in the package)`);
	// "No files found" also passes.
	return Object.values(verdicts).every(({ passed, message }) => passed && message === undefined);
}

const temporary = await mkdtemp(join(tmpdir(), 'audio-editing-scan-'));
try {
	process.exitCode = (await scan(temporary)) ? 0 : 1;
} finally {
	await rm(temporary, { recursive: true, force: true });
}
