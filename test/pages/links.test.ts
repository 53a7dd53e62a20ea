/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they start processes and read files */
import { execFileSync, spawnSync } from 'child_process';
import { existsSync, readFileSync } from 'fs';
import { dirname, join } from 'path';

import { anchorsOf, blocksOf, codeOf, tableOf, targetsOf } from '../../testkit/text/markdown';

const TRACKED = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');

const PAGES = TRACKED.filter((path) => path.endsWith('.md') && existsSync(path));

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

/** Returns the links of a page to files, pictures and headings that do not exist. */
function deadLinks(path: string, markdown: string): string[] {
	const inside = targetsOf(markdown).filter((target) => !/^[a-z]+:/.test(target));
	return inside.filter((target) => {
		const [file, anchor] = target.split('#');
		if (file === '') return !anchorsOf(markdown).includes(anchor);
		const there = join(dirname(path), file);
		if (!existsSync(there)) return true;
		return anchor !== undefined && !anchorsOf(read(there)).includes(anchor);
	});
}

/** Returns the headings of pages that code cites, such as `api.md#limits`, and that do not exist. */
function deadCitations(code: string): string[] {
	const cited = [...code.matchAll(/(?<![\w./:-])((?:[\w-]+\/)*[\w-]+\.md)#([\w-]+)/g)];
	const dead = cited.filter(([, file, anchor]) => {
		const there = PAGES.filter((path) => `/${path}`.endsWith(`/${file}`));
		return !there.some((path) => anchorsOf(read(path)).includes(anchor));
	});
	return dead.map(([citation]) => citation);
}

it('finds dead links of a page to files, headings and pictures', () => {
	const page = [
		'# Here',
		'[a](#here), [b](#there), [c](api.md#limits), [d](api.md#limit), [e](gone.md)',
		'![f](images/gone.png) <img src="images/error.png">',
	].join('\n');
	const dead = ['#there', 'api.md#limit', 'gone.md', 'images/gone.png'];
	expect(deadLinks('docs/page.md', page)).toEqual(dead);
});

it('finds dead citations in code', () => {
	const code = '/* api.md#limits, docs/api.md#limit, https://example.org/a.md#b */';
	expect(deadCitations(code)).toEqual(['docs/api.md#limit']);
});

it('code cites only headings that exist', () => {
	const sources = TRACKED.filter((path) => /\.(m?ts|m?js|cjs|ya?ml)$/.test(path));
	const own = 'test/pages/links.test.ts';
	const read = sources.filter((path) => path !== own && existsSync(path));
	expect(read.length).toBeGreaterThan(500);
	const dead = read.flatMap((path) =>
		deadCitations(readFileSync(path, 'utf8')).map((citation) => `${path}: ${citation}`),
	);
	expect(dead).toEqual([]);
});

describe.each(PAGES)('%s', (path) => {
	const markdown = read(path);

	// test/pages/commands.test.mts looks at the scripts.
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
		expect(deadLinks(path, markdown)).toEqual([]);
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
