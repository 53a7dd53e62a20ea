/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they start processes and read files */
import { spawnSync } from 'child_process';
import { existsSync, readFileSync, readdirSync } from 'fs';
import { dirname, join, resolve } from 'path';

import { anchorsOf, blocksOf, codeOf, tableOf, targetsOf } from '../support/markdown';

const FOLDERS = ['.', 'service', 'docs', 'docs/recipes'];

const TEXTS = FOLDERS.flatMap((folder) =>
	readdirSync(folder)
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(folder, name)),
);

/** npm commands that need no script of ours. */
const OWN_OF_NPM = ['ci', 'pack', 'install'];

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

const SERVICE_FLAGS = serviceFlags();

function read(path: string): string {
	return readFileSync(path, 'utf8');
}

/** Returns the flags of the local service from its own help. */
function serviceFlags(): string[] {
	const command = ['--import', 'tsx', 'service/cli/main.mts', '--help'];
	const { stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' });
	return [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag);
}

/** Returns the npm and npx commands in a text. */
function commandsIn(markdown: string): string[] {
	const blocks = blocksOf(markdown).filter(({ language }) => /^(ba)?sh$/.test(language));
	const lines = blocks.flatMap(({ text }) => text.replace(/\\\n/g, ' ').split('\n'));
	const commands = [...lines, ...codeOf(markdown)].flatMap((line) => line.split(/&&|;|#/));
	return commands.map((command) => command.trim()).filter((command) => /^np[mx] /.test(command));
}

/** Returns why a command cannot run, or undefined if it can. */
function obstacle(command: string): string | undefined {
	const [program, ...words] = command.split(/\s+/);
	if (program === 'npx') return missing(words);
	const [verb, ...rest] = words.filter((word) => word !== '--silent');
	if (verb !== 'run') return verb in scripts || OWN_OF_NPM.includes(verb) ? undefined : verb;
	const [script] = rest;
	if (!(script in scripts)) return script;
	const flags = rest.filter((word) => word.startsWith('--') && word !== '--');
	return script === 'service' ? flags.find((flag) => !SERVICE_FLAGS.includes(flag)) : undefined;
}

/** Returns the program or file that npx would not find. */
function missing([program, ...words]: readonly string[]): string | undefined {
	// A package file has its own test: e2e/packagedService.test.mts.
	if (program.startsWith('file:')) return undefined;
	if (!existsSync(join('node_modules', '.bin', program))) return program;
	return words.find((word) => word.includes('/') && !existsSync(word));
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

describe.each(TEXTS)('%s', (path) => {
	const markdown = read(path);

	it('names only commands that exist', () => {
		const wrong = commandsIn(markdown).map((command) => [command, obstacle(command)]);
		expect(wrong.filter(([, what]) => what !== undefined)).toEqual([]);
	});

	it('contains only valid JSON', () => {
		const blocks = blocksOf(markdown).filter(({ language }) => language.startsWith('json'));
		expect(blocks.filter(({ text }) => !isJson(text))).toEqual([]);
	});

	it('links only to files and headings that exist', () => {
		const inside = targetsOf(markdown).filter((target) => !/^[a-z]+:/.test(target));
		const dead = inside.filter((target) => {
			const [file, anchor] = target.split('#');
			const there = file === '' ? path : join(dirname(path), file);
			if (!existsSync(resolve(there))) return true;
			return anchor !== undefined && !anchorsOf(read(there)).includes(anchor);
		});
		expect(dead).toEqual([]);
	});

	it('has no placeholder left to fill in', () => {
		const places = markdown.match(/^[A-Z]+(_[A-Z]+)+$|\bTODO\b|\bTBD\b/gm);
		expect(places).toBeNull();
	});
});

it('the texts mention the commands that matter', () => {
	const commands = TEXTS.flatMap((path) => commandsIn(read(path)));
	const told = ['npm ci', 'npm test', 'npm run demo', 'npm run service', 'npm run build'];
	expect(commands).toEqual(expect.arrayContaining(told));
});

it("the service's README has a row for each of its flags", () => {
	const rows = tableOf(read('service/README.md'), 'Flag').map(([flag]) => flag.replaceAll('`', ''));
	expect(SERVICE_FLAGS.length).toBeGreaterThan(20);
	expect([...rows, '--help'].sort()).toEqual([...SERVICE_FLAGS].sort());
});
