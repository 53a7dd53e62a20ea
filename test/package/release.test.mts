import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { parse } from 'yaml';
import { z } from 'zod';

import { boundPackages, licenseFindings, unnamed } from '../../.ci/licenses.mts';
import { withAbsoluteLinks } from '../../.ci/pack.mts';
import { ownersTasks, placeholders, publisherFaults } from '../../.ci/publisher.mts';
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

await test('names what only the owner can do, until it is done', () => {
	const manifest = (url: string, email: string): Manifest => ({
		name: 'nodes',
		version: '1.2.3',
		homepage: url,
		bugs: `${url}/issues`,
		author: { name: 'A', email },
		repository: { type: 'git', url },
	});
	const todo = (given: Manifest) =>
		Object.fromEntries(ownersTasks(given, ['nodes', 'service']).map((task) => [task.what, task]));
	const before = todo(manifest('https://github.com/audio-editing-nodes/x', 'a@b.example'));
	assert.match(before['Repository'].todo, /^create/);
	assert.match(before['Mailbox'].todo, /^set author\.email/);
	assert.equal(before['Names on npm'].now, 'nodes, service');
	const after = todo(manifest(REPOSITORY, 'a@b.fm'));
	assert.deepEqual([after['Repository'].todo, after['Mailbox'].todo], ['nothing', 'nothing']);
});

const workflowSchema = z.object({
	on: z.object({ push: z.object({ tags: z.array(z.string()) }) }),
	permissions: z.record(z.string()),
	jobs: z.record(
		z.object({
			needs: z.string().optional(),
			environment: z.string().optional(),
			permissions: z.record(z.string()).optional(),
			steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
		}),
	),
});

// Provenance exists only after publishing, so this reads the workflow.
await test('npm gets a tested package with provenance, from a workflow without a token', () => {
	const text = readFileSync('.github/workflows/publish.yml', 'utf8');
	const { on, permissions, jobs } = workflowSchema.parse(parse(text));
	assert.deepEqual(on.push.tags, ['v*.*.*', 'service-v*.*.*']);
	assert.deepEqual(permissions, { contents: 'read' });
	const { publish, package: packing } = jobs;
	const runs = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
	const publishing = runs.filter((run) => run.includes('npm publish'));
	assert.deepEqual(publishing, [
		'npm publish ./*.tgz --access public --provenance --ignore-scripts',
	]);
	assert.ok(publish.steps.some(({ run }) => run === publishing[0]));
	assert.deepEqual(publish.permissions, { 'id-token': 'write' });
	assert.deepEqual([publish.needs, publish.environment, packing.needs], ['package', 'npm', 'test']);
	assert.equal(packing.permissions, undefined);
	assert.ok(jobs['test'].steps.some(({ run }) => run === '.ci/run'));
	assert.doesNotMatch(text, /secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
	const actions = Object.values(jobs).flatMap(({ steps }) =>
		steps.flatMap(({ uses = [] }) => uses),
	);
	for (const action of actions) assert.match(action, /@[\da-f]{40}$/);
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
