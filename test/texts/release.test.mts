import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { withAbsoluteLinks } from '../../.ci/pack.mts';
import { licenceFindings, sbom } from '../../.ci/sbom.mts';

const REPOSITORY = 'https://github.com/someone/repo';
const PAGES = `${REPOSITORY}/blob/main/`;
const PICTURES = 'https://raw.githubusercontent.com/someone/repo/main/';

await test('all that ships may be given on, and names what is within', () => {
	const { document, findings } = sbom();
	assert.deepEqual(findings, []);
	assert.match(JSON.stringify(document), /"RNNoise and weights"/);
	const licensed = (name: string, ...ids: string[]) => ({
		...{ type: 'library', name, version: '1.0.0' },
		licenses: ids.map((id) => ({ license: { id } })),
	});
	const either = { ...licensed('either'), licenses: [{ expression: '(AGPL-3.0 OR MIT)' }] };
	const found = licenceFindings([
		licensed('free', 'ISC'),
		either,
		licensed('bound', 'AGPL-3.0-only'),
		licensed('both', 'MIT', 'SSPL-1.0'),
		licensed('silent'),
	]);
	assert.deepEqual(found, [
		'bound 1.0.0: AGPL-3.0-only',
		'both 1.0.0: MIT, SSPL-1.0',
		'silent 1.0.0: no licence',
	]);
});

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
