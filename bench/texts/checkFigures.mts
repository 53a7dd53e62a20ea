/** Finds figures that disagree with their source, and measured figures that a second text repeats. */
import { tableOf } from '../../test/support/markdown.ts';
import type { Sentence } from './sentences.mts';
import type { SharedFigures } from './sharedFigures.mts';

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

const NUMBER = `(?<![\\w.,])([−-]?\\d[\\d,]*(?:\\.\\d+)?|${WORDS.join('|')})(?!\\w)`;

function numberOf(text: string): number {
	const word = WORDS.indexOf(text.toLowerCase());
	return word >= 0 ? word : Number(text.replaceAll(',', '').replace('−', '-'));
}

function patternOf(statement: string): RegExp {
	return new RegExp(statement.replaceAll('#', NUMBER).replaceAll(' ', '\\s+'), 'gi');
}

/** Returns a line for each statement that disagrees with the code, and for each figure in no text. */
export function checkFigures(figures: SharedFigures, sentences: readonly Sentence[]): string[] {
	return Object.entries(figures).flatMap(([name, [values, ...statements]]) => {
		const patterns = statements.map(patternOf);
		const found = sentences.flatMap(({ path, line, text }) =>
			patterns.flatMap((pattern) =>
				[...text.matchAll(pattern)].map(([, ...numbers]) =>
					numbers.every((number) => values.includes(numberOf(number)))
						? []
						: [`${path}:${line}: ${name}: ${values.join(' or ')} in the code: ${text}`],
				),
			),
		);
		return found.length > 0 ? found.flat() : [`sharedFigures.mts: no text states the ${name}`];
	});
}

/** Returns the flags whose default is a number or a word and another one in the table of a text. */
export function wrongDefaults(
	markdown: string,
	flags: readonly { readonly flag: string; readonly value: unknown }[],
): string[] {
	const rows = tableOf(markdown, 'Flag', 'Default');
	const stated = new Map<string, string>();
	for (const [flag = '', value = ''] of rows) stated.set(plain(flag), plain(value));
	return flags
		.filter(({ value }) => typeof value === 'number' || typeof value === 'string')
		.filter(({ flag, value }) => stated.get(flag)?.replaceAll(',', '') !== String(value))
		.map(
			({ flag, value }) =>
				`${flag} is ${String(value)}, the table says ${stated.get(flag) ?? 'nothing'}`,
		);
}

const plain = (cell: string) => cell.replaceAll('`', '');

/** A measured figure: its number, and the units in its row. */
interface Measured {
	readonly value: number;
	readonly row: string;
}

const FIGURE = /(?<![\w.,-])(\d[\d,]*(?:\.\d+)?)(?: ?(MB|GB|KB|kB)\b)?/g;

/** Returns the number of digits without zeros at the edges: two for 0.024, 1,400 and 1.40. */
function significantDigits(text: string): number {
	return text.replace(/[,.]/g, '').replace(/^0+|0+$/g, '').length;
}

/** Returns the figures with at least three digits in the tables that have a column for figures. */
function measuredIn(markdown: string): Measured[] {
	let column = -1;
	return markdown.split('\n').flatMap((row) => {
		const cells = row.split('|').map((cell) => cell.trim());
		if (cells.length === 1) column = -1;
		if (cells.includes('Figure')) column = cells.indexOf('Figure');
		const numbers = [...(cells[column] ?? '').matchAll(FIGURE)].map(([, number = '']) => number);
		return numbers
			.filter((number) => significantDigits(number) >= 3)
			.map((number) => ({ value: numberOf(number), row }));
	});
}

/** Whether a number in a text is the measured figure, perhaps rounded. */
function repeats(number: string, unit: string | undefined, { value, row }: Measured): boolean {
	const decimals = number.split('.')[1]?.length ?? 0;
	if (value.toFixed(decimals) !== number.replaceAll(',', '')) return false;
	const hasUnit = unit !== undefined && new RegExp(`\\b${unit}\\b`).test(row);
	return hasUnit ? significantDigits(number) >= 2 : decimals >= 2 && significantDigits(number) >= 3;
}

/**
 * Returns a line for each sentence that repeats a measured figure.
 *
 * @param pages the texts of the pages where measured figures belong
 * @param sentences those of all other documents
 */
export function repeatedFigures(
	pages: readonly string[],
	sentences: readonly Sentence[],
): string[] {
	const measured = pages.flatMap(measuredIn);
	return sentences.flatMap(({ path, line, text }) =>
		[...text.matchAll(FIGURE)]
			.filter(([, number = '', unit]) => measured.some((one) => repeats(number, unit, one)))
			.map(([figure]) => `${path}:${line}: ${figure} is a measured figure: ${text}`),
	);
}
