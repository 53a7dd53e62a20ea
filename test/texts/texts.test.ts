/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they start processes and read files */
import { spawnSync } from 'child_process';
import { existsSync, readFileSync, readdirSync } from 'fs';
import { dirname, join, resolve } from 'path';

import { anchorsOf, blocksOf, codeOf, tableOf, targetsOf } from '../support/markdown';

const FOLDERS = ['.', 'service', 'docs', 'docs/recipes', 'docs/service'];

const TEXTS = FOLDERS.flatMap((folder) =>
	readdirSync(folder)
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(folder, name)),
);

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

/** Returns the programs that npx runs, and the flags of the local service, in the commands of a text. */
function namesInCommands(markdown: string): { programs: string[]; flags: string[] } {
	const programs = markdown.matchAll(/\bnpx (?!file:)([\w@/-]+)/g);
	const starts = markdown.matchAll(/\bnpm run (?:--silent )?service -- ((?:.*\\\n)*.*)/g);
	return {
		programs: [...programs].map(([, program]) => program),
		flags: [...starts].flatMap(([, line]) => line.match(/--[a-z-]+/g) ?? []),
	};
}

describe.each(TEXTS)('%s', (path) => {
	const markdown = read(path);

	// test/texts/commands.test.mts looks at the scripts.
	it('names only programs and flags that exist', () => {
		const { programs, flags } = namesInCommands(markdown);
		expect(programs.filter((name) => !existsSync(join('node_modules', '.bin', name)))).toEqual([]);
		expect(flags.filter((flag) => !SERVICE_FLAGS.includes(flag))).toEqual([]);
	});

	it('contains only valid JSON', () => {
		for (const { language, text } of blocksOf(markdown)) {
			if (language.startsWith('json')) expect(() => void JSON.parse(text)).not.toThrow();
		}
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

it('docs/service/configure.md has a row for each flag', () => {
	const rows = tableOf(read('docs/service/configure.md'), 'Flag').flatMap(([flag]) => codeOf(flag));
	expect(SERVICE_FLAGS.length).toBeGreaterThan(20);
	expect([...rows, '--version', '--help'].sort()).toEqual([...SERVICE_FLAGS].sort());
});
