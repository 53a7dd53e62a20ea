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

it('docs/troubleshooting.md quotes only texts that the nodes or the local service have', () => {
	const page = readFileSync('docs/troubleshooting.md', 'utf8');
	const lines = page.match(QUOTES) ?? [];
	const quotes = lines.flatMap((line) => [...line.matchAll(/_([^_]+)_/g)].map(([, text]) => text));
	expect(quotes.length).toBeGreaterThan(15);
	const code = sources();
	expect(quotes.filter((quote) => !code.includes(quote))).toEqual([]);
});
