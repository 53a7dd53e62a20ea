/**
 * How the nodes get into n8n's container, without Docker: n8n from npm laid out as in n8n's image, with its user, its
 * variables and compose.yaml's, a read-only root folder and a volume. What this cannot show is in
 * docs/compatibility.md: Alpine's programs, Docker itself, and n8n 3.
 */
import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { execa } from 'execa';

import { blocksOf } from '../testkit/text/markdown.ts';
import { TALK_WAV, assertEditedTalk } from './support/audio.mts';
import { Container, N8N_ENTRYPOINT, newVolume } from './support/container/container.mts';
import { COMPOSED, ENTRYPOINT, IMAGE_ENV, buildPackage } from './support/container/image.mts';
import { failureOf, fileOf, itemOf } from './support/outputs.mts';
import { Editor } from './support/pages/editor.mts';
import { firstExecution, submitForm } from './support/pages/form.mts';
import { PACKAGE, ROOT } from './support/places.mts';
import { openSandbox, startService } from './support/sandbox.mts';
import { importedWorkflow } from './support/workflowFiles.mts';

const sandbox = await openSandbox('container');
const { packed, unpacked } = await buildPackage(sandbox.folder);
const service = await startService(sandbox);

const OURS = {
	[`/opt/${PACKAGE}`]: unpacked,
	'/opt/start-with-nodes.sh': join(ROOT, 'container', 'start.sh'),
};

/** Edits a recording in a running n8n, as a person does after its first start. */
async function editIn(url: string): Promise<void> {
	const editor = new Editor(url);
	await editor.enter();
	const login = { baseUrl: service.url, apiKey: service.apiKey };
	const credential = await editor.createCredential('Service', login);
	const workflow = await importedWorkflow('edit-one-recording.json', credential, '/home/node');
	const files = [{ name: 'talk.wav', content: TALK_WAV }];
	const execution = await firstExecution(editor, await submitForm(editor, workflow, files));
	assert.equal(execution.status, 'success', failureOf(execution));
	const { content } = await fileOf(editor, itemOf(execution, 'Audio Editing Get Result'));
	await assertEditedTalk(content);
}

/** The types of our nodes that an n8n offers. */
async function typesIn(url: string): Promise<string[]> {
	const editor = new Editor(url);
	await editor.enter();
	const names = (await editor.nodeTypes()).map(({ name }) => name);
	return names.filter((name) => name.startsWith(`${PACKAGE}.`));
}

test('the image puts the nodes into an empty volume, and n8n edits a recording', async () => {
	assert.equal(COMPOSED.environment['N8N_UNVERIFIED_PACKAGES_ENABLED'], 'true');
	assert.equal(IMAGE_ENV['N8N_UNVERIFIED_PACKAGES_ENABLED'], 'true');
	const volume = await newVolume(sandbox, 'new');
	const container = new Container(sandbox, volume, OURS);
	assert.equal(COMPOSED.read_only, true);
	assert.notEqual(await container.exec(['/bin/sh', '-c', 'touch /usr/local/x 2>/dev/null']), 0);
	assert.equal(await container.exec(['/bin/sh', '-c', 'test "$(id -un)" = node']), 0);
	const n8n = await container.start('image', ENTRYPOINT);
	await editIn(n8n.url);
	await n8n.stop();

	// A new image has another version, and the volume still the old one.
	const target = join(volume, 'nodes', 'node_modules', PACKAGE);
	await writeFile(join(target, 'package.json'), '{}');
	await mkdir(join(target, 'dist', 'old'));
	assert.equal(await container.exec([...ENTRYPOINT.slice(0, 2), 'true']), 0);
	await execa('diff', ['-r', unpacked, target]);
	assert.deepEqual(await readdir(join(volume, 'nodes', 'node_modules')), [PACKAGE]);
});

test("the README's commands put the nodes into an existing container", async () => {
	const readme = blocksOf(await readFile(join(ROOT, 'README.md'), 'utf8'));
	const block = readme.find(({ text }) => text.includes('docker exec -i'))?.text ?? '';
	const [, inContainer = ''] = /^docker exec -i n8n sh -c '([^']+)' </m.exec(block) ?? [];
	assert.match(block, /^docker restart n8n$/m);
	const container = new Container(sandbox, await newVolume(sandbox, 'existing'));
	const first = await container.start('existing', N8N_ENTRYPOINT);
	assert.deepEqual(await typesIn(first.url), []);
	// Twice, because an upgrade is the same.
	for (let round = 0; round < 2; round++) {
		assert.equal(await container.exec(['/bin/sh', '-c', inContainer], packed), 0);
	}
	await first.stop();
	const second = await container.start('restarted', N8N_ENTRYPOINT);
	assert.ok((await typesIn(second.url)).includes(`${PACKAGE}.audioEditing`));
	await editIn(second.url);
});
