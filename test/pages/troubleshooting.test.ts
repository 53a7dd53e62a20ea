/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they read files */
import { execFileSync } from 'child_process';
import { readFileSync } from 'fs';

/** A line of the page that has nothing but parts of error messages. */
const QUOTES = /^_[^_\n]+_(?:, _[^_\n]+_)*$/gm;

function sources(): string {
	const files = execFileSync('git', ['ls-files', 'api', 'nodes', 'service'], { encoding: 'utf8' });
	const paths = files.split('\n').filter((path) => /\.m?ts$/.test(path));
	return paths.map((path) => readFileSync(path, 'utf8')).join('\n');
}

const CODE = sources();

/** Returns what a page quotes as parts of error messages. */
function quotesIn(page: string): string[] {
	const lines = page.match(QUOTES) ?? [];
	return lines.flatMap((line) => [...line.matchAll(/_([^_]+)_/g)].map(([, text]) => text));
}

it('docs/troubleshooting.md quotes only texts that the nodes or the local service have', () => {
	const quotes = quotesIn(readFileSync('docs/troubleshooting.md', 'utf8'));
	expect(quotes.length).toBeGreaterThan(15);
	expect(quotes.filter((quote) => !CODE.includes(quote))).toEqual([]);
});

it('finds a quote of an error that no code has', () => {
	const quotes = quotesIn('## Files\n\n_deleted 7 days after processing_, _deleted by the cat_\n');
	expect(quotes.filter((quote) => !CODE.includes(quote))).toEqual(['deleted by the cat']);
});
