import { join, relative } from 'node:path';

import ts from 'typescript';

import { parsedConfig } from './parsedConfig.mts';
import { bodyOf, nameOf, type Step } from './tracedFiles.mts';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * The traced functions that a person who reads from a function on does not come to by "go to definition" of the
 * TypeScript language service. A callback is read with the function that has it.
 *
 * @param start its file, and its name
 */
export function unreached(steps: readonly Step[], start: Step): string[] {
	const reached = new Reading().from(start);
	// A function without a name is called by its line, and is in one that has a name.
	const named = steps.filter(({ name }) => !name.startsWith('('));
	const all = new Set(named.map(keyOf));
	return [...all].filter((key) => !reached.has(key)).sort();
}

function keyOf({ file, name }: Step): string {
	return `${file} ${name}`;
}

function fileOf(node: ts.Node): string {
	return relative(ROOT, node.getSourceFile().fileName).replace(/\.ts$/, '');
}

/** What a person comes to who follows every name. */
class Reading {
	private readonly service = languageService();

	private readonly program: ts.Program;

	private readonly reached = new Set<string>();

	private readonly read = new Set<ts.Node>();

	private readonly followed = new Set<ts.Symbol>();

	/** What is still to be read. */
	private readonly waiting: ts.Node[] = [];

	constructor() {
		const program = this.service.getProgram();
		if (program === undefined) throw new Error('The language service has no program');
		this.program = program;
	}

	/** The keys of the functions that are reached from this one. */
	from({ file, name }: Step): ReadonlySet<string> {
		const source = this.program.getSourceFile(join(ROOT, `${file}.ts`));
		const find = (node: ts.Node): void => {
			if (bodyOf(node) !== undefined && nameOf(node) === name) this.waiting.push(node);
			ts.forEachChild(node, find);
		};
		if (source !== undefined) find(source);
		for (let node = this.waiting.pop(); node !== undefined; node = this.waiting.pop()) {
			if (!this.read.has(node)) this.readAll(node);
			this.read.add(node);
		}
		return this.reached;
	}

	/** Reads a declaration with all that is in it. */
	private readAll(node: ts.Node): void {
		if (bodyOf(node) !== undefined)
			this.reached.add(keyOf({ file: fileOf(node), name: nameOf(node) }));
		if (ts.isIdentifier(node)) this.follow(node);
		ts.forEachChild(node, (child) => {
			this.readAll(child);
		});
	}

	/** Goes to the definition of a name. */
	private follow(name: ts.Identifier): void {
		const symbol = this.program.getTypeChecker().getSymbolAtLocation(name);
		if (symbol === undefined || this.followed.has(symbol)) return;
		this.followed.add(symbol);
		const { fileName } = name.getSourceFile();
		for (const definition of this.service.getDefinitionAtPosition(fileName, name.getStart()) ??
			[]) {
			const source = this.program.getSourceFile(definition.fileName);
			if (source === undefined || source.fileName.includes('node_modules')) continue;
			const declaration = declarationAt(source, definition.textSpan.start);
			if (ts.isClassDeclaration(declaration)) this.waiting.push(...madeWith(declaration));
			else if (ts.isConstructorDeclaration(declaration))
				this.waiting.push(...madeWith(declaration.parent));
			else this.waiting.push(declaration);
		}
	}
}

/** What runs when a class is made: its constructor and its fields. */
function madeWith({ members }: ts.ClassLikeDeclaration): ts.Node[] {
	return members.filter((one) => ts.isConstructorDeclaration(one) || ts.isPropertyDeclaration(one));
}

/** The declaration whose name, or whose beginning, is at a position. */
function declarationAt(source: ts.SourceFile, position: number): ts.Node {
	let found: ts.Node = source;
	const visit = (node: ts.Node): void => {
		if (position < node.getStart() || position >= node.getEnd()) return;
		found = node;
		ts.forEachChild(node, visit);
	};
	ts.forEachChild(source, visit);
	return ts.isIdentifier(found) || ts.isPrivateIdentifier(found) ? found.parent : found;
}

function languageService(): ts.LanguageService {
	const { fileNames, options } = parsedConfig('tsconfig.json');
	return ts.createLanguageService({
		getScriptFileNames: () => fileNames,
		getScriptVersion: () => '1',
		getScriptSnapshot: (path) => {
			const text = ts.sys.readFile(path);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => ROOT,
		getCompilationSettings: () => options,
		getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
		fileExists: (path) => ts.sys.fileExists(path),
		readFile: (path) => ts.sys.readFile(path),
		directoryExists: (path) => ts.sys.directoryExists(path),
		getDirectories: (path) => ts.sys.getDirectories(path),
	});
}
