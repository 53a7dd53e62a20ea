import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { boundPackages, licenseFindings, unnamed } from '../../.ci/licenses.mts';
import { withAbsoluteLinks } from '../../.ci/pack.mts';
import { placeholders, publisherFaults } from '../../.ci/publisher.mts';
import { type Manifest, PACKAGES, readManifest, tagFault } from '../../.ci/released.mts';

const REPOSITORY = 'https://github.com/someone/repo';
const PAGES = `${REPOSITORY}/blob/main/`;
const PICTURES = 'https://raw.githubusercontent.com/someone/repo/main/';

await test('all that ships may be given on', () => {
	assert.deepEqual(licenseFindings(), []);
});

await test('finds a package that may not be given on', () => {
	const licensed = (name: string, ...ids: string[]) => ({
		name,
		version: '1.0.0',
		licenses: ids.map((id) => ({ license: { id } })),
	});
	const found = boundPackages([
		licensed('free', 'ISC'),
		{ name: 'either', licenses: [{ expression: '(AGPL-3.0 OR MIT)' }] },
		licensed('bound', 'AGPL-3.0-only'),
		licensed('both', 'MIT', 'SSPL-1.0'),
		licensed('silent'),
	]);
	assert.deepEqual(found, [
		'bound 1.0.0: AGPL-3.0-only',
		'both 1.0.0: MIT, SSPL-1.0',
		'silent 1.0.0: no license',
	]);
});

await test('finds weights that the notice does not name', () => {
	const notice = 'engine/a.tflite, engine/b.tflite\n  The weights. MIT.';
	assert.deepEqual(unnamed(notice, ['engine/a.tflite', 'engine/b.tflite', 'engine/b']), [
		'engine/b: not in service/NOTICE',
	]);
});

await test("the service's package names the publisher of the nodes", async () => {
	const [nodes, service] = await Promise.all(
		PACKAGES.map(({ folder }) => readManifest('.', folder)),
	);
	assert.deepEqual(publisherFaults(nodes, service), []);
	assert.deepEqual(publisherFaults(nodes, { ...service, bugs: 'https://example.com' }), [
		`bugs in service/package.json has to be "${nodes.bugs}"`,
	]);
});

await test('names every placeholder of the publisher, however it is written', () => {
	const faults = (url: string, author: Manifest['author'] = { name: 'A', email: 'a@b.fm' }) =>
		placeholders({
			name: 'nodes',
			version: '1.2.3',
			homepage: REPOSITORY,
			bugs: `${REPOSITORY}/issues`,
			author,
			repository: { type: 'git', url },
		}).join();
	for (const url of [`git+${REPOSITORY}.git`, 'git@GitHub.com:Someone/repo.git'])
		assert.equal(faults(url), '');
	for (const path of ['/Audio-Editing-Nodes/x', ':audio-editing-nodes/x'])
		assert.match(faults(`git@github.com${path}`), /^repository\.url is [^,]+, a placeholder$/);
	assert.match(faults('https://gitlab.com/a/b'), /^repository\.url is [^,]+: not this repository/);
	for (const email of ['', 'me@example.com', 'me@a.EXAMPLE'])
		assert.match(faults(REPOSITORY, { name: 'A', email }), /^author/);
	assert.match(faults(REPOSITORY, 'Someone <a@b.fm>'), /^author has to be an object/);
});

await test('a release has the tag of its version', () => {
	const [nodes, service] = PACKAGES;
	assert.equal(tagFault(nodes, '1.2.3', 'v1.2.3'), undefined);
	assert.equal(
		tagFault(service, '1.2.3', 'service-v1.2.4'),
		'the tag service-v1.2.4 is not service-v1.2.3',
	);
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
