/** The moving picture of the README: from a recording to the edited file, with the one-node workflow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { SPEECH } from '../support/audio.mts';
import { openBrowser } from '../support/pages/browser.mts';
import { Canvas } from '../support/pages/canvas.mts';
import { firstExecution } from '../support/pages/form.mts';
import { startHost } from '../support/host.mts';
import { failureOf } from '../support/outputs.mts';
import { FILM_SIZE, Film } from '../support/pictures/film.mts';
import { MESSAGES, areasOf, around, photograph } from '../support/pictures/photograph.mts';
import { inRows } from '../support/pictures/rows.mts';

const NODE = 'Audio Editing';

const STEPS = [
	'Choose a recording',
	'Let it be edited',
	'See what was cut',
	'Play the edited file',
];

// Each state lasts long enough for its two pictures.
const { sandbox, service, n8n, editor, imported } = await startHost('film', {
	flags: ['--min-state-seconds', '4'],
});
const { page } = await openBrowser(sandbox, n8n.url, FILM_SIZE);
const canvas = new Canvas(page);
const film = new Film(await newPage(), STEPS);

async function newPage(): Promise<Page> {
	const opened = await page.context().newPage();
	await opened.setViewportSize(FILM_SIZE);
	return opened;
}

/** Executes the workflow and submits its form with the recording. */
async function chooseRecording(): Promise<void> {
	await film.add(page, 1, 1.4);
	const form = await canvas.runWithForm();
	await form.setViewportSize(FILM_SIZE);
	const file = { name: 'episode-12.mp3', mimeType: 'audio/mpeg', buffer: SPEECH };
	await form.locator('input[type="file"]').setInputFiles(file);
	await film.add(form, 1, 2, form.locator('.card').first());
	await form.locator('button[type="submit"]').click();
	await canvas.node(NODE).locator('.running, [class*="running"]').first().waitFor();
	await film.add(page, 2, 1.4);
	await form.close();
}

/** Shows the service's page until the edit is finished. @returns how many cuts it marks */
async function watchService(): Promise<number> {
	const local = await newPage();
	await local.goto(service.url);
	const status = local.locator('article .status');
	const seen = new Set<string>();
	while (!seen.has('SUCCESS')) {
		await local.waitForTimeout(200);
		const now = (await status.getAttribute('title')) ?? '';
		if (seen.has(now)) continue;
		seen.add(now);
		const isFinished = now === 'SUCCESS';
		if (isFinished) await local.locator('svg .edit').first().waitFor();
		await film.add(local, isFinished ? 3 : 2, isFinished ? 4 : 0.4);
	}
	const cuts = await local.locator('svg .edit').count();
	await photograph(local, 'waveforms', around(await areasOf(local.locator('article').first()), 8));
	await local.close();
	return cuts;
}

/** Plays the edited file in the output panel. */
async function listen(): Promise<void> {
	await canvas.openForm(NODE);
	await canvas.widenOutput();
	await film.add(page, 4, 1.2);
	await canvas.form
		.getByTestId('output-panel')
		.getByRole('button', { name: 'View' })
		.first()
		.click();
	await canvas.listen();
	for (const seconds of [1, 2, 3, 4]) {
		await canvas.holdAt(seconds);
		await film.add(page, 4, 0.8);
	}
}

test('takes the moving picture: a recording, its cuts and the edited file', async () => {
	// Not deleted at the end, so that the service's page still shows it.
	const changes = { [NODE]: { costAndSafety: {} } };
	const workflow = inRows(await imported('one-node-episode.json', changes));
	const id = await editor.createWorkflow(workflow);
	await canvas.open(id);
	await canvas.hide([MESSAGES]);
	await chooseRecording();
	const cuts = await watchService();
	assert.ok(cuts >= 5, `${cuts} cuts are marked`);
	const execution = await firstExecution(editor, id);
	assert.equal(execution.status, 'success', failureOf(execution));
	await film.add(page, 4, 1.2);
	await listen();
	// test/pictures.test.ts measures it.
	await film.save(sandbox, 'episode');
});
