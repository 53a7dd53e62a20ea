/** The npm commands that the files of the repository name, and the figures that the benches print. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import ts from 'typescript';

import type { TextFile } from './tracked.mts';

/** The scripts that take the name of what they run. */
const RUNNERS = ['bench', 'e2e', 'eval', 'release', 'test'] as const;

const COMMAND = /\bnpm (?:run (?:--silent )?|(?=test\b))([\w:]*\w)(?: -- ([\w./]+))?/g;

const ENTRY = /^ {2}(\w+) {2}/gm;

/** A part of a text with fewer letters could be in any name of a bar. */
const LETTERS_MINIMUM = 5;

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	scripts: Readonly<Record<string, string>>;
};

/** The names of the scripts of package.json. */
export const SCRIPTS = Object.keys(scripts);

/** Returns the names that a runner lists. */
export function namesOf(runner: (typeof RUNNERS)[number]): string[] {
	const { stdout } = spawnSync('npm', ['run', '--silent', runner, '--', 'list'], {
		encoding: 'utf8',
	});
	return ['list', ...[...stdout.matchAll(ENTRY)].map(([, name]) => name)];
}

/** Returns the commands in files that npm or our runners do not know. */
export function deadCommands(files: readonly TextFile[]): string[] {
	const names = new Map<string, string[]>(RUNNERS.map((runner) => [runner, namesOf(runner)]));
	return files.flatMap(({ path, text }) =>
		[...text.matchAll(COMMAND)].flatMap((match) => {
			const [command, script] = match;
			const name = match.at(2);
			const known = names.get(script);
			const isKnown = name === undefined || !known || known.includes(name) || existsSync(name);
			return SCRIPTS.includes(script) && isKnown ? [] : [`${path}: ${command}`];
		}),
	);
}

/** Returns the figures on a page of benches, as `bench: bar`, that no source of a bench prints. */
export function deadFigures(page: string, sources: readonly TextFile[]): string[] {
	const benches = namesOf('bench');
	const printed = sources.flatMap(({ path, text }) => patternsIn(path, text));
	const [, ...sections] = page.split(/^## /m);
	return sections.flatMap((section) => {
		const [bench, ...lines] = section.split('\n');
		const [, , ...rows] = lines.filter((line) => line.startsWith('| '));
		const bars = rows.map((row) => row.split(' | ')[0].slice(2).trim().replaceAll('\\|', '|'));
		const dead = bars.filter(
			(bar) => !benches.includes(bench) || !printed.some((pattern) => pattern.test(bar)),
		);
		return dead.map((bar) => `${bench}: ${bar}`);
	});
}

/** Returns what the strings of a source can become. */
function patternsIn(path: string, text: string): RegExp[] {
	const patterns: RegExp[] = [];
	const visit = (node: ts.Node): void => {
		const parts = partsOf(node);
		if (parts.join('').replace(/\P{L}/gu, '').length >= LETTERS_MINIMUM) {
			patterns.push(new RegExp(`^${parts.map(escaped).join('.+')}$`));
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
	return patterns;
}

/** Returns the fixed parts of a string, between its expressions; none of another node. */
function partsOf(node: ts.Node): string[] {
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (!ts.isTemplateExpression(node)) return [];
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
}

function escaped(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
