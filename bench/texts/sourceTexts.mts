/** The comments of source files, the titles of tests, and the texts in strings that people read. */
import ts from 'typescript';

import type { Block } from './prose.mts';

/** Comments for tools, not for people. */
const DIRECTIVE = /^(eslint|prettier-|@ts-|<reference|#|istanbul|Stryker|n8n-auto)/;

/** A string with fewer words is a name, a value or a part of a text. */
const MESSAGE_WORDS_MINIMUM = 4;

/** More words without a comma or a period are a list of words. */
const LIST_WORDS = 20;

/** What begins a call with the title of a test. */
const TEST = /^(test|it|describe)\b/;

const CSS = /\{[^{}]*:[^{}]*;/;

const WORD = /^[('"]*\p{L}?[\p{Ll}'’-]+[)'",.:;?!]*$/u;

const SQL =
	/\b(SELECT|INSERT|UPDATE|DELETE FROM|CREATE|PRAGMA|ALTER|BEGIN|WITH)\b[^]*\b[A-Z_]{2,}\b/;

/** What replaces an expression within a text: one word. */
const EXPRESSION = 'X';

/** Returns a line of a comment as Markdown: a tag begins a list item, a link is code. */
function asMarkdown(line: string): string {
	return line
		.replace(/^@(param \S+|throws( [A-Z]\w+)?|\w+)/, '-')
		.replace(/\{@link ([^}]+)\}/g, '`$1`');
}

/** Puts a comment into the lines of a page, where it is in the file. */
function putComment(
	page: string[],
	source: ts.SourceFile,
	{ pos, end, kind }: ts.CommentRange,
): void {
	const text = source.text.slice(pos, end);
	const { line } = source.getLineAndCharacterOfPosition(pos);
	const codeBefore = source.text.slice(source.getPositionOfLineAndCharacter(line, 0), pos).trim();
	if (kind === ts.SyntaxKind.SingleLineCommentTrivia) {
		const words = text.replace(/^\/+\s*/, '');
		if (DIRECTIVE.test(words)) return;
		// A comment after code is not continued by the one after the next line's code.
		page[line] = codeBefore === '' ? asMarkdown(words) : `- ${words}`;
		return;
	}
	const lines = text.replace(/^\/\*+ ?|\s*\*+\/$/g, '').split('\n');
	const [first = ''] = lines;
	if (DIRECTIVE.test(first.trim())) return;
	for (const [index, part] of lines.entries()) {
		page[line + index] = asMarkdown(part.replace(/^\t*( \* ?| \*?$)?/, ''));
	}
}

/** Returns the text of a string, a template or several joined by `+`, or undefined for other code. */
function stringText(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isTemplateExpression(node)) {
		const parts = node.templateSpans.map(({ literal }) => EXPRESSION + literal.text);
		return node.head.text + parts.join('');
	}
	if (ts.isParenthesizedExpression(node)) return stringText(node.expression);
	if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return;
	const [left, right] = [stringText(node.left), stringText(node.right)];
	if (left === undefined && right === undefined) return undefined;
	return (left ?? EXPRESSION) + (right ?? EXPRESSION);
}

/** Whether people read a text: it has several words, and is no code or list of words. */
function isMessage(text: string): boolean {
	const words = text.split(/\s+/).filter((word) => WORD.test(word));
	const isList = words.length > LIST_WORDS && !/[.,:;]/.test(text);
	const isCode = SQL.test(text) || CSS.test(text) || /^\s*=/.test(text);
	return words.length >= MESSAGE_WORDS_MINIMUM && !isList && !isCode;
}

/** Returns the title of a test or a group of tests, or undefined for other code. */
function titleOf(node: ts.Node): string | undefined {
	if (!ts.isCallExpression(node) || !TEST.test(node.expression.getText())) return undefined;
	const title = node.arguments.at(0);
	return title && stringText(title);
}

/** Returns a text as one line of Markdown: without HTML, and with each of its lines as a sentence. */
function oneLine(text: string): string {
	const plain = text.replace(/<(style|script)[^]*?<\/\1>/g, ' ').replace(/<[^<>]*>/g, ' ');
	const lines = plain.split('\n').map((line) => line.trim());
	return lines
		.filter((line) => line !== '')
		.join('. ')
		.replace(/^([#>+*-]|\d+\.) /, '');
}

/**
 * Returns the comments of a TypeScript or JavaScript file as Markdown, each in the line where it is in the file, and the
 * texts in its strings and the titles of its tests, one line of Markdown each.
 */
export function sourceTexts(path: string, text: string) {
	const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	const comments: string[] = [];
	const messages: Block[] = [];
	const titles: Block[] = [];
	const blockOf = (node: ts.Node, words: string): Block => ({
		line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
		text: oneLine(words),
	});
	const visit = (node: ts.Node, isPart: boolean): void => {
		if (ts.isJSDoc(node)) return;
		const ranges = [
			...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
			...(ts.getTrailingCommentRanges(text, node.end) ?? []),
		];
		if (node.getChildCount(source) === 0 && node.kind !== ts.SyntaxKind.JsxText) {
			for (const range of ranges) putComment(comments, source, range);
		}
		const message = isPart ? undefined : stringText(node);
		if (message !== undefined && isMessage(message)) {
			messages.push(blockOf(node, message));
		}
		const title = titleOf(node);
		if (title !== undefined) titles.push(blockOf(node, title));
		const partOfMessage = message !== undefined && !ts.isTemplateExpression(node);
		for (const child of node.getChildren(source)) visit(child, partOfMessage);
	};
	visit(source, false);
	return { comments: comments.join('\n'), messages, titles };
}

/** Returns the comments of a YAML, shell or Python file, which begin with `#`. */
export function hashComments(text: string): string {
	const lines = text.split('\n').map((line) => /^\s*#(?!!) ?(.*)$/.exec(line)?.[1] ?? '');
	return lines.map((line) => (DIRECTIVE.test(line) ? '' : line)).join('\n');
}
