import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { findFfmpeg } from '../../service/media/ffmpeg/ffmpeg.mts';
import { Client } from '../../test/service/support/client.mts';
import { decodedSeconds } from '../../test/service/support/media.mts';
import { reviewOf } from '../../test/service/support/reviews.mts';
import { unzipped } from '../../test/service/support/zip.mts';
import { eventually } from '../../test/support/eventually.mts';
import { startFromSources } from '../../test/support/localService.ts';
import { SPEECH, publishRecording } from '../support/audio.mts';
import { bar } from '../support/bars.mts';
import { editLogOf } from '../support/editLog.mts';
import { startHost } from '../support/host.mts';
import { START, createEdit, getResult, waitForEdit } from '../support/nodes.mts';
import { failureOf, fileOf, itemOf } from '../support/outputs.mts';
import { openBrowser } from '../support/pages/browser.mts';
import { openPage, Reviewer, seriousFindings } from '../support/pages/review.mts';
import { chain } from '../support/workflowFiles.mts';

// The tests themselves ask often for the status.
const REVIEW = ['--review', '--public-players', '--status-calls-per-minute', '100000'];
const { sandbox, service, n8n, editor, credential } = await startHost('review', { flags: REVIEW });
const opened = (await openBrowser(sandbox, n8n.url)).page.context().browser();
assert.ok(opened);
const browser = opened;
const client = new Client(service.url, service.apiKey);

const PHONE = { width: 390 };
/** A frame of the video, and what MP3 adds at its ends. */
const TOLERANCE_SECONDS = 0.08;

const recording = await publishRecording(sandbox, SPEECH, 'episode.mp3');
const second = await publishRecording(sandbox, SPEECH, 'guest.mp3');
const film = await publishRecording(sandbox, await filmOf(SPEECH), 'film.mp4');

/** Returns a video of 25 pictures a second with this sound. */
async function filmOf(sound: Buffer): Promise<Buffer> {
	const path = join(sandbox.folder, 'film.mp4');
	const picture = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=25'];
	const coded = ['-shortest', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', path];
	const args = ['-v', 'error', ...picture, '-i', '-', ...coded];
	execFileSync(findFfmpeg().ffmpegPath, args, { input: sound });
	return await readFile(path);
}

/** Submits an edit in n8n. @returns the execution, and the review once the edit waits */
async function submitted(fileUrls: string, options = {}) {
	const create = createEdit({ fileUrls, preset: 'fullEdit', options });
	const steps = [START, create, waitForEdit(), getResult()];
	const id = await editor.createWorkflow(chain('Review', credential, steps));
	const execution = await editor.run(id, START.name);
	const [editId] = await eventually(`execution ${execution} has created an edit`, async () => {
		const ids = [...(await editLogOf(n8n.log).createdIn(execution))];
		return ids.length > 0 ? ids : undefined;
	});
	return { execution, review: await reviewOf(client, editId) };
}

let decided = 0;

/** Checks that an execution ends with the file that has the first two cuts put back. */
async function endsDecided({ execution, review }: Awaited<ReturnType<typeof submitted>>) {
	const { cuts, samples, sample_rate: rate } = await review.state();
	const back = cuts.filter(({ keep }) => keep);
	assert.deepEqual(back, cuts.slice(0, 2));
	const lengths = cuts.map(({ start, end, keep }) => (keep ? 0 : (end - start) / rate));
	const expected = samples / rate - lengths.reduce((sum, length) => sum + length, 0);
	const ended = await editor.reached(execution);
	assert.equal(ended.status, 'success', failureOf(ended));
	const { content } = await fileOf(editor, itemOf(ended, 'Get Result'));
	const isArchive = content.subarray(0, 2).toString() === 'PK';
	const files = isArchive ? [...(await unzipped(content)).values()] : [content];
	for (const file of files) {
		const seconds = await decodedSeconds(file);
		assert.ok(Math.abs(seconds - expected) < TOLERANCE_SECONDS, `${seconds} s, not ${expected} s`);
	}
	decided++;
}

/** One person puts two cuts back and approves. */
async function reviewAlone(link: string, look?: { width: number }): Promise<void> {
	const ann = await Reviewer.at(browser, link, look);
	await ann.keep();
	await ann.keep();
	await ann.approve('Ann');
	await ann.page.getByRole('link', { name: 'Download the file' }).waitFor();
	// The finished edit can be changed: a second one waits with the same decisions.
	const changed = await ann.changeAgain();
	assert.equal(await changed.getByText('stays', { exact: true }).count(), 2);
}

// Together, because n8n spends most of the time waiting.
describe('a person puts two cuts back with the keyboard alone', { concurrency: true }, () => {
	for (const [name, fileUrls, options, look] of [
		['MP3', recording, {}, undefined],
		['two tracks', `${recording}\n${second}`, {}, undefined],
		['video', film, { video: true }, undefined],
		['from phone width', recording, {}, PHONE],
	] as const) {
		test(name, async () => {
			const edit = await submitted(fileUrls, options);
			await reviewAlone(edit.review.link, look);
			await endsDecided(edit);
		});
	}

	test('two people at once', async () => {
		const edit = await submitted(recording);
		const ann = await Reviewer.at(browser, edit.review.link);
		const bob = await Reviewer.at(browser, edit.review.link);
		await bob.keep();
		await ann.press('j', 'j', 'x');
		assert.match(await ann.problem(), /omeone else (was faster|changed the cuts)/);
		await ann.keep(['x']);
		await ann.approve('Ann');
		await endsDecided(edit);
	});
});

test('after kill -9 of the service in the middle', async () => {
	const edit = await submitted(recording);
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
	bar('reviews that end in n8n with the decided file', `${decided} of 6`, '>= 6', decided >= 6);
});

test('axe finds nothing serious', async () => {
	const { review } = await submitted(recording);
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
	for (const finding of found) console.log(finding);
	bar('serious findings', found.length, '<= 0', found.length === 0);
});
