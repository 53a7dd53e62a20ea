import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** An npm script, the workspace that it is in, and the name that its runner gets. */
const COMMAND =
	/\bnpm (?:run (?:--silent )?|(?=test\b))([\w:]*\w)(?: -w (\w+))?(?: -- ([\w./]+))?/g;

/** The scripts that take the name of what they run. */
const RUNNERS = ['bench', 'e2e', 'eval', 'release', 'test'];

/** Returns the names of the scripts of a folder's package.json. */
function scriptsIn(folder: string): string[] {
	const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
		scripts?: Readonly<Record<string, string>>;
	};
	return Object.keys(manifest.scripts ?? {});
}

const known = new Map<string, readonly string[]>();

/** Returns the names that a runner lists. */
function namesOf(script: string, folder: string): readonly string[] {
	const key = `${folder} ${script}`;
	const workspace = folder === '.' ? [] : ['-w', folder];
	const list = () =>
		spawnSync('npm', ['run', '--silent', script, ...workspace, '--', 'list'], {
			encoding: 'utf8',
		}).stdout;
	const names = known.get(key) ?? ['list', ...(list().match(/^ {2}\w+(?= {2})/gm) ?? [])];
	known.set(
		key,
		names.map((name) => name.trim()),
	);
	return known.get(key) ?? [];
}

/** Returns the commands in a text that npm or our runners do not know. */
function deadCommands(text: string): string[] {
	const commands = [...text.matchAll(COMMAND)];
	const dead = commands.filter((match) => {
		const [, script, folder = '.'] = match;
		const name = match.at(3);
		if (!scriptsIn(folder).includes(script)) return true;
		if (name === undefined || !RUNNERS.includes(script)) return false;
		return !namesOf(script, folder).includes(name) && !existsSync(name);
	});
	return dead.map(([command]) => command);
}

await test('files name only commands that npm and our runners know', () => {
	const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
	const paths = tracked.filter(
		(path) =>
			/\.(md|m?ts|m?js|ya?ml)$|^\.ci\/\w+$|(?<!-lock)\.json$/.test(path) &&
			!import.meta.filename.endsWith(path) &&
			existsSync(path),
	);
	assert.deepEqual(
		paths.flatMap((path) =>
			deadCommands(readFileSync(path, 'utf8')).map((command) => `${path}: ${command}`),
		),
		[],
	);
});

for (const [command, isDead] of [
	['npm run bench -- waiting', false],
	['npm run bench -- sleeping', true],
	['npm run bench:waiting', true],
	['npm run build -w service', false],
	['npm run demo -w service', true],
	['npm run e2e -- e2e/queue.test.mts', false],
	['npm run e2e -- e2e/pull.test.mts', true],
	['npm test -- slow', false],
	['npm test -- quick', true],
] as const) {
	await test(`${command} is ${isDead ? 'unknown' : 'known'}`, () => {
		assert.deepEqual(deadCommands(`Run \`${command}\`.`), isDead ? [command] : []);
	});
}
