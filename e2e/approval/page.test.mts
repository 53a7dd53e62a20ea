import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client } from '../../testkit/service/client.mts';
import { decodedSeconds } from '../../testkit/service/media.mts';
import { reviewOf } from '../../testkit/service/reviews.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { startFromSources } from '../../testkit/service/localService.ts';
import { SPEECH, publishRecording } from '../support/audio.mts';
import { startHost } from '../support/host.mts';
import { START, createEdit, getResult, waitForEdit } from '../support/nodes.mts';
import { failureOf, fileOf, itemOf } from '../support/outputs.mts';
import { openBrowser } from '../support/pages/browser.mts';
import { openPage, Reviewer, seriousFindings } from '../support/pages/review.mts';
import { chain } from '../support/workflowFiles.mts';

// The tests themselves ask often for the status.
const REVIEW = ['--review', '--public-players', '--status-calls-per-minute', '100000'];
const host = await startHost('review', { flags: REVIEW });
const { sandbox, service, n8n, editor, credential } = host;
const opened = (await openBrowser(sandbox, n8n.url)).page.context().browser();
assert.ok(opened);
const browser = opened;
const client = new Client(service.url, service.apiKey);

const PHONE = { width: 390 };
/** What MP3 adds at the ends. */
const TOLERANCE_SECONDS = 0.08;

const recording = await publishRecording(sandbox, SPEECH, 'episode.mp3');

/** Submits an edit in n8n. @returns the execution, and the review once the edit waits */
async function submitted() {
	const create = createEdit({ fileUrls: recording, preset: 'fullEdit' });
	const steps = [START, create, waitForEdit(), getResult()];
	const before = host.submitted().length;
	const execution = await editor.started(chain('Review', credential, steps));
	const isCreated = () => host.submitted().at(before);
	const editId = await eventually(`execution ${execution} has created an edit`, isCreated);
	return { execution, review: await reviewOf(client, editId) };
}

/** Checks that an execution ends with the file that has the first two cuts put back. */
async function endsDecided({ execution, review }: Awaited<ReturnType<typeof submitted>>) {
	const { cuts, samples, sample_rate: rate } = await review.state();
	const back = cuts.filter(({ keep }) => keep);
	assert.deepEqual(back, cuts.slice(0, 2));
	const lengths = cuts.map(({ start, end, keep }) => (keep ? 0 : (end - start) / rate));
	const expected = samples / rate - lengths.reduce((sum, length) => sum + length, 0);
	const ended = await editor.reached(execution);
	assert.equal(ended.status, 'success', failureOf(ended));
	const { content } = await fileOf(editor, itemOf(ended, 'Audio Editing Get Result'));
	const seconds = await decodedSeconds(content);
	assert.ok(Math.abs(seconds - expected) < TOLERANCE_SECONDS, `${seconds} s, not ${expected} s`);
}

test('a person with a phone puts two cuts back with the keyboard alone', async () => {
	const edit = await submitted();
	const ann = await Reviewer.at(browser, edit.review.link, PHONE);
	await ann.keep();
	await ann.keep();
	await ann.approve('Ann');
	await ann.page.getByRole('link', { name: 'Download the file' }).waitFor();
	// The finished edit can be changed: a second one waits with the same decisions.
	const changed = await ann.changeAgain();
	assert.equal(await changed.getByText('stays', { exact: true }).count(), 2);
	await endsDecided(edit);
});

test('with the keyboard, few stops lead to Approve, and arrows through the cuts', async () => {
	const { review } = await submitted();
	const { cuts } = await review.state();
	assert.ok(cuts.length > 2);
	const ann = await Reviewer.at(browser, review.link);
	// A cut is chosen, so that its borders are fields, too.
	await ann.press('j');
	const stops = await ann.tabTo('Approve');
	assert.equal(stops.at(-1), 'Approve');
	assert.ok(stops.length <= 10, stops.join(' > '));
	await ann.page.locator('#cuts button.main').first().focus();
	await ann.press('ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter');
	await ann.page.getByText('stays', { exact: true }).waitFor();
	assert.equal(await ann.page.locator('#cuts li').nth(1).getByText('stays').count(), 1);
	await ann.press('f');
	await ann.page.getByRole('button', { name: 'Speed 1.25×' }).waitFor();
	const standing = await ann.page.locator('#standing').innerText();
	assert.match(standing, /until .*(UTC|GMT)/);
	const slider = ann.page.locator('#threshold');
	await ann.page.getByRole('button', { name: 'Undo' }).press('Enter');
	await slider.focus();
	await ann.press('ArrowRight');
	assert.equal(await slider.inputValue(), '5');
});

test('two people at once', async () => {
	const edit = await submitted();
	const ann = await Reviewer.at(browser, edit.review.link);
	const bob = await Reviewer.at(browser, edit.review.link);
	await bob.keep();
	await ann.press('j', 'j', 'x');
	assert.match(await ann.problem(), /omeone else (was faster|changed the cuts)/);
	await ann.keep(['x']);
	await ann.approve('Ann');
	await endsDecided(edit);
});

test('axe finds nothing serious', async () => {
	const { review } = await submitted();
	const found: string[] = [];
	for (const width of [1280, 390]) {
		for (const colorScheme of ['light', 'dark'] as const) {
			const list = await openPage(browser, service.url, { width, colorScheme });
			await list.getByRole('link', { name: 'Review the cuts' }).first().waitFor();
			const ann = await Reviewer.at(browser, review.link, { width, colorScheme });
			found.push(...(await seriousFindings(list)), ...(await seriousFindings(ann.page)));
			for (const keys of [['?'], ['Escape', '+', '+', 'j', 'x'], ['Control+Enter']]) {
				await ann.press(...keys);
				found.push(...(await seriousFindings(ann.page)));
			}
		}
	}
	assert.deepEqual(found, []);
});

// The last test: `host` cannot see what the service that is started again is sent.
test('after kill -9 of the service in the middle', async () => {
	const edit = await submitted();
	const ann = await Reviewer.at(browser, edit.review.link);
	await ann.keep();
	service.signal('SIGKILL');
	await ann.press('j', 'x');
	assert.match(await ann.problem(), /cannot be reached/);
	const { port } = new URL(service.url);
	const flags = ['--port', port, '--storage', service.storage, ...REVIEW];
	const again = await startFromSources(flags);
	sandbox.onEnd(async () => await again.end('SIGTERM'));
	await ann.page.locator('#problem:empty').waitFor({ state: 'attached' });
	await ann.approve('Ann');
	await endsDecided(edit);
});
