import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';

import which from 'which';

import { blocksOf } from '../../testkit/text/markdown.ts';
import { ROOT } from '../support/places.mts';
import { openSandbox } from '../support/sandbox.mts';

/** The line that the README has; test/pages checks that. */
const LINE = 'npm ci && npm run demo';

/** The most lines that the demo may print before the address of its page. */
const MAX_LINES = 11;

const LAST_LINES = 30;

const PAGE = /: (http:\/\/127\.0\.0\.1:\d+) \(Ctrl-C stops it\)/;

const sandbox = await openSandbox('demo');
const clone = join(sandbox.folder, 'clone');

/** Returns lines without their figures and the widths of columns. */
function shapeOf(lines: readonly string[]): string[] {
	return lines.map((line) =>
		line
			.replace(/-?\d+(\.\d+)*/g, '0')
			.replace(/([ -])\1+/g, ' ')
			.trimEnd(),
	);
}

/** All that the line may find on a fresh machine: no ffmpeg, nothing that recognizes speech. */
const PROGRAMS = ['bash', 'sh', 'env', 'chmod', 'node', 'npm', 'npx'];

/** Creates a folder with these programs, as they are outside this repository. @returns the folder */
async function onlyPrograms(): Promise<string> {
	const bin = join(sandbox.folder, 'bin');
	await mkdir(bin);
	const folders = (process.env['PATH'] ?? '').split(delimiter);
	const path = folders.filter((folder) => !folder.includes('node_modules')).join(delimiter);
	for (const program of PROGRAMS) {
		await symlink(await which(program, { path }), join(bin, program));
	}
	return bin;
}

/** Runs the line in a terminal. `script` gives it one, as a pipe would end the demo at once. */
async function startInTerminal() {
	const args = ['--quiet', '--return', '--command', LINE, '/dev/null'];
	const env = { HOME: homedir(), PATH: await onlyPrograms(), SHELL: 'bash' };
	const child = spawn('/usr/bin/script', args, { cwd: clone, env });
	const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
	sandbox.onEnd(() => {
		child.kill('SIGTERM');
		return ended;
	});
	return { lines: createInterface({ input: child.stdout }), type: child.stdin, ended };
}

await test('in a fresh clone, one line edits a recording and shows both waveforms', async () => {
	await promisify(execFile)('git', ['clone', '--quiet', ROOT, clone]);
	const demo = await startInTerminal();
	const printed: string[] = [];
	let url: string | undefined;
	for await (const line of demo.lines) {
		printed.push(line);
		url = PAGE.exec(line)?.[1];
		if (url !== undefined) break;
	}
	assert.ok(url, printed.slice(-LAST_LINES).join('\n'));
	const shown = printed.slice(printed.findIndex((line) => line.startsWith('A LibriVox ')));
	assert.ok(shown.length <= MAX_LINES + 1, shown.join('\n'));
	const [told] = blocksOf(await readFile(join(ROOT, 'README.md'), 'utf8')).filter(({ text }) =>
		text.startsWith('A LibriVox '),
	);
	assert.deepEqual(shapeOf(shown), shapeOf(told.text.trimEnd().split('\n')));
	assert.ok((await stat(join(clone, 'demo-output', 'recording-edited.mp3'))).size > 0);

	const list = await (await fetch(url)).text();
	const [, row] = /class="toggle"[^>]* href="([^"]+)"/.exec(list) ?? [];
	assert.ok(row, 'a row to click');
	const page = await (await fetch(new URL(row.replaceAll('&amp;', '&'), url))).text();
	assert.ok((page.match(/<svg/g)?.length ?? 0) >= 2, 'two waveforms');
	assert.equal(page.match(/<audio/g)?.length, 2);

	demo.type.write('\x03');
	await demo.ended;
	await assert.rejects(fetch(url));
});
