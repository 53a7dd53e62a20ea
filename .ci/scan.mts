/**
 * Runs the rules of n8n's own scanner, which decides about verified community nodes, on the package as
 * it would be published and on its sources. The scanner itself takes only what is in the npm registry
 * already. Ends with exit code 1 when there is a finding.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildIfStale, unpackPackage } from '../test/support/unpackedPackage.ts';

/** What the scanner exports, as far as it is used here; it has no types of its own. */
interface Scanner {
	readonly analyzePackage: (folder: string, patterns: readonly string[]) => Promise<Verdict>;
	/** What the scanner reads of a repository. */
	readonly SOURCE_FILE_PATTERNS: readonly string[];
}

interface Verdict {
	readonly passed: boolean;
	readonly message?: string;
	readonly details?: string;
}

const SCANNER: string = '@n8n/scan-community-package/scanner/scanner.mjs';

/** What the scanner reads of a published package. */
const PACKAGE_FILE_PATTERNS = ['**/*.js', 'package.json'];

const ROOT = join(import.meta.dirname, '..');

async function scan(temporary: string): Promise<boolean> {
	buildIfStale();
	const { folder, files } = unpackPackage(temporary);
	// The scanner makes a folder for temporary files when it is imported, and leaves it behind.
	process.env['TMPDIR'] = temporary;
	const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(SCANNER)) as Scanner;
	const verdicts = {
		'the packed package': await analyzePackage(folder, PACKAGE_FILE_PATTERNS),
		'the sources': await analyzePackage(ROOT, SOURCE_FILE_PATTERNS),
	};
	for (const [what, { passed, message = '', details = '' }] of Object.entries(verdicts)) {
		console.log(`${what}: ${passed && message === '' ? 'no finding' : `${message}\n${details}`}`);
	}
	console.log(`(${files.length} files in the package)`);
	// "No files found" passes, too.
	return Object.values(verdicts).every(({ passed, message }) => passed && message === undefined);
}

const temporary = await mkdtemp(join(tmpdir(), 'audio-editing-scan-'));
try {
	process.exitCode = (await scan(temporary)) ? 0 : 1;
} finally {
	await rm(temporary, { recursive: true, force: true });
}
