import { join, relative } from 'node:path';

import ts from 'typescript';

import { parsedConfig } from './parsedConfig.mts';

const ROOT = join(import.meta.dirname, '..', '..');

const SCHEMA = 'api/contract/config.ts';

/**
 * The files that a new boolean key of the configuration changes, besides generated ones, docs/api.md and what it does
 * in the engine: the contract, and each file that does not compile until it says something of the key.
 */
export function filesOfNewKey(): string[] {
	const changed = new Set([SCHEMA]);
	for (const config of ['tsconfig.json', 'tsconfig.tools.json']) {
		for (const file of filesWithErrors(config)) changed.add(file);
	}
	return [...changed];
}

function filesWithErrors(config: string): string[] {
	const readFile = (path: string, encoding?: string) => {
		const text = ts.sys.readFile(path, encoding);
		return relative(ROOT, path) === SCHEMA && text !== undefined ? withNewKey(text) : text;
	};
	const parsed = parsedConfig(config, { ...ts.sys, readFile });
	const host = ts.createCompilerHost(parsed.options);
	host.readFile = readFile;
	host.getSourceFile = (path, options) => {
		const text = readFile(path);
		return text === undefined ? undefined : ts.createSourceFile(path, text, options);
	};
	const program = ts.createProgram(parsed.fileNames, parsed.options, host);
	const errors = ts.getPreEmitDiagnostics(program);
	return errors.flatMap(({ file }) => (file ? relative(ROOT, file.fileName) : []));
}

function withNewKey(text: string): string {
	const changed = text.replace('\t\tmuted: z.boolean(),\n', '$&\t\tsneezes: z.boolean(),\n');
	if (changed === text) throw new Error(`${SCHEMA} has another form`);
	return changed;
}
