import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { withAbsoluteLinks } from '../../.ci/pack.mts';

const REPOSITORY = 'https://github.com/someone/repo';
const PAGES = `${REPOSITORY}/blob/main/`;
const PICTURES = 'https://raw.githubusercontent.com/someone/repo/main/';

for (const folder of ['.', 'service']) {
	await test(`what npm shows of the README in ${folder} works without the repository's files`, () => {
		const markdown = readFileSync(`${folder}/README.md`, 'utf8');
		const page = withAbsoluteLinks(markdown, folder, REPOSITORY);
		assert.doesNotMatch(page, /(\]\(|="|='|\]: )(?!https?:|#)[^"'\s]*\.(md|png|gif|mp3|json)/);
		const own = [...page.matchAll(/https:\/\/[^\s)"#]+/g)].map(([url]) => url);
		const targets = own.filter((url) => url.startsWith(PAGES) || url.startsWith(PICTURES));
		assert.ok(targets.length > 5);
		for (const url of targets) {
			const path = url.replace(PAGES, '').replace(PICTURES, '');
			assert.ok(existsSync(path), path);
			assert.equal(url.startsWith(PICTURES), /\.(png|gif)$/.test(path), url);
		}
	});
}
