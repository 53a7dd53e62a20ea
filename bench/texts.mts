/**
 * `npm run check:texts`: whether what people read is short, plain and agrees with the code. Exits with 1
 * when a bar is short. `npm run check:texts -- docs/ README.md` lists only what is wrong there.
 */
import { readFileSync } from 'node:fs';

import { COMMAND } from '../service/shared/flags.mts';
import { OUR_NODES } from '../test/support/ourNodes.ts';
import { type Bar, count, printBars } from './bars.mts';
import { checkFigures, repeatedFigures, wrongDefaults } from './texts/checkFigures.mts';
import { FORM_RULES, quotableLabels } from './texts/formRules.mts';
import { unansweredPoints } from './texts/guidelines.mts';
import { comparePictures, tablesOf } from './texts/layout.mts';
import { neverWordsIn } from './texts/neverList.mts';
import { BENCHMARKS, QUALITY } from './page/page.mts';
import { type Kind, KINDS, readTexts } from './texts/readTexts.mts';
import { type Sentence, countWords, lengthP95 } from './texts/sentences.mts';
import { SHARED_FIGURES } from './texts/sharedFigures.mts';
import { isRaw, subtitlesOf } from './texts/subtitles.mts';
import { filesLike, trackedPaths } from './texts/tracked.mts';

/** Words. */
const LENGTH_P95_MAXIMUM = 28;

/** Where measured figures belong. */
const MEASURED = [BENCHMARKS.path, QUALITY.path, 'docs/service/scaling.md'];

const TABLE_COLUMNS_MAXIMUM = 120;
const README_LINES_MAXIMUM = 150;
const WORDS_MAXIMUM = { all: 28_000, page: 1_800 };

const GUIDELINES = 'docs/verification.md';

/** What a user reads. A contract is looked up, not read, and programs write the figures. */
const READ = /^(README|service\/README|docs\/(?!api\b|benchmarks\b|quality\b).*)\.md$/;

const places = process.argv.slice(2);

/** Prints a line about what is wrong, if it begins with one of the places that the command names. */
function report(what: string): void {
	if (places.length > 0 && !places.some((place) => what.startsWith(place))) return;
	console.log(what);
}

function reportLength({ path, line, text }: Sentence): void {
	const words = countWords(text);
	if (words > LENGTH_P95_MAXIMUM) report(`${path}:${line}: ${words} words: ${text}`);
}

/** Returns the paths whose 95th percentile is over the limit. */
function longWinded(sentences: readonly Sentence[]): string[] {
	const paths = [...new Set(sentences.map(({ path }) => path))];
	return paths.filter(
		(path) => lengthP95(sentences.filter((one) => one.path === path)) > LENGTH_P95_MAXIMUM,
	);
}

function sentenceBars(kind: Kind, sentences: readonly Sentence[]): Bar[] {
	let neverWords = 0;
	for (const sentence of sentences) {
		reportLength(sentence);
		const found = neverWordsIn(sentence.text);
		neverWords += found.length;
		for (const word of found)
			report(`${sentence.path}:${sentence.line}: ${word}: ${sentence.text}`);
	}
	return [
		count(`words a sentence, p95, ${kind}`, lengthP95(sentences), LENGTH_P95_MAXIMUM),
		count(`words of the never-list, ${kind}`, neverWords),
	];
}

function layoutBars(): Bar[] {
	const markdown = filesLike(/\.md$/);
	const tables = markdown.flatMap(tablesOf);
	for (const { path, line, columns } of tables) {
		if (columns > TABLE_COLUMNS_MAXIMUM) report(`${path}:${line}: a table of ${columns} columns`);
	}
	const readme = markdown.find(({ path }) => path === 'README.md')?.text ?? '';
	const codex = filesLike(/\.node\.json$/);
	const { unused, missing } = comparePictures(trackedPaths(), [...markdown, ...codex]);
	for (const path of unused) report(`${path}: no text shows this picture`);
	for (const path of missing) report(`${path}: a text shows this picture, but it does not exist`);
	const read = markdown.filter(({ path }) => READ.test(path));
	const words = read.map(({ text }) => text.split(/\s+/).length);
	const all = words.reduce((sum, count) => sum + count, 0);
	const widest = Math.max(0, ...tables.map(({ columns }) => columns));
	const lines = readme.trimEnd().split('\n').length;
	return [
		count('columns of the widest table line', widest, TABLE_COLUMNS_MAXIMUM),
		count('lines of the README', lines, README_LINES_MAXIMUM),
		count('words in README and docs', all, WORDS_MAXIMUM.all),
		count('words of the longest page', Math.max(...words), WORDS_MAXIMUM.page),
		count('pictures that no text shows', unused.length),
		count('pictures shown that do not exist', missing.length),
	];
}

/** Returns a line for each violation of a guideline in the nodes' forms. */
async function checkForms(): Promise<string[]> {
	const nodes = Object.values(OUR_NODES);
	const labels = quotableLabels(nodes.map(({ description }) => description));
	const found: string[] = [];
	for (const node of nodes) {
		const { description } = node;
		const form = `form of ${description.displayName}`;
		for (const [name, find] of Object.entries(FORM_RULES)) {
			const broken = [...new Set(find(description, labels))];
			found.push(...broken.map((what) => `${form}: ${name}: ${what}`));
		}
		const raw = (await subtitlesOf(node)).filter((line) => isRaw(line, description));
		found.push(...raw.map((line) => `${form}: subtitles of labels: ${line}`));
	}
	return found;
}

async function formBars(): Promise<Bar[]> {
	const broken = await checkForms();
	for (const what of broken) report(what);
	const open = unansweredPoints(readFileSync(GUIDELINES, 'utf8'));
	for (const point of open) report(`${GUIDELINES}: no answer to "${point}"`);
	return [
		count('forms against the guidelines', broken.length),
		count(`points of n8n's guidelines without an answer in ${GUIDELINES}`, open.length),
	];
}

function figureBars(texts: Readonly<Record<Kind, readonly Sentence[]>>): Bar[] {
	const flags = COMMAND.options.map(({ long, defaultValue }) => ({
		flag: long ?? '',
		value: defaultValue as unknown,
	}));
	const flagsPage = 'docs/service/configure.md';
	const disagreeing = [
		...checkFigures(SHARED_FIGURES, Object.values(texts).flat()),
		...wrongDefaults(readFileSync(flagsPage, 'utf8'), flags).map((what) => `${flagsPage}: ${what}`),
	];
	const elsewhere = texts.documents.filter(({ path }) => !MEASURED.includes(path));
	const pages = MEASURED.map((path) => readFileSync(path, 'utf8'));
	const repeated = repeatedFigures(pages, elsewhere);
	for (const what of [...disagreeing, ...repeated]) report(what);
	return [
		count('statements that disagree with the code', disagreeing.length),
		count('measured figures repeated elsewhere', repeated.length),
	];
}

const texts = await readTexts();
const longDocuments = longWinded(texts.documents);
for (const path of longDocuments) {
	report(`${path}: p95 of ${lengthP95(texts.documents.filter((one) => one.path === path))} words`);
}

printBars([
	...KINDS.flatMap((kind) => sentenceBars(kind, texts[kind])),
	count('documents with a p95 over 28 words', longDocuments.length),
	...layoutBars(),
	...figureBars(texts),
	...(await formBars()),
]);
