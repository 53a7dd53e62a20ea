import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CutEditor } from '../http/review/page/client/cutEditor.mts';
import { passageAround, passagesFrom, uncutPlace } from '../http/review/page/client/passages.mts';
import { Refusal } from '../http/review/page/client/refusal.mts';
import { Saving } from '../http/review/page/client/saving.mts';
import { peaksOf, type Progress } from '../http/review/page/client/wire.mts';
import { SILENCES as config, talk } from '../../testkit/service/recordings.mts';
import { send } from '../../testkit/service/client.mts';
import { reviewed } from '../../testkit/service/reviews.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { QUICK, startService, startServiceForOthers } from '../../testkit/service/testService.mts';

const RATE = 1_000;
const found = { track: null, by: 'engine', keep: false, kind: 'filler' } as const;
const cuts = [
	{ ...found, kind: 'breath' as const, start: 5_000, end: 6_000, sure: 0.9 },
	{ ...found, start: 1_000, end: 2_000, sure: 0.3 },
	{ ...found, start: 3_000, end: 3_500, sure: 0.6 },
];
const review = { samples: 10_000, sample_rate: RATE, cuts };

/** Returns the borders of the cuts; those that stay have a minus. */
const shown = ({ cuts }: CutEditor) =>
	cuts.map(({ start, end, keep }) => `${keep ? '-' : ''}${start}..${end}`).join(' ');

await test('sorts the cuts, and undoes and redoes each change', () => {
	const editor = new CutEditor(review);
	assert.equal(shown(editor), '1000..2000 3000..3500 5000..6000');
	editor.toggle(editor.cuts[0].id);
	editor.setKind('filler', true);
	assert.equal(shown(editor), '-1000..2000 -3000..3500 5000..6000');
	editor.undo();
	assert.equal(shown(editor), '-1000..2000 3000..3500 5000..6000');
	editor.undo();
	editor.undo();
	assert.equal(shown(editor), '1000..2000 3000..3500 5000..6000');
	assert.equal(editor.controls.canUndo, false);
	editor.redo();
	editor.toggle(editor.cuts[2].id);
	assert.equal(editor.controls.canRedo, false);
	assert.equal(shown(editor), '-1000..2000 3000..3500 -5000..6000');
});

await test('keeps what is less sure than the slider, and cuts it again when the slider goes back', () => {
	const editor = new CutEditor(review);
	editor.toggle(editor.cuts[2].id);
	editor.setThreshold(0.7);
	assert.equal(shown(editor), '-1000..2000 -3000..3500 -5000..6000');
	editor.endSlide();
	editor.setThreshold(0.5);
	assert.equal(shown(editor), '-1000..2000 3000..3500 -5000..6000');
	editor.undo();
	assert.equal(editor.controls.threshold, 0.7);
});

await test('undoes a movement of the slider in one step', () => {
	const editor = new CutEditor(review);
	for (const threshold of [0.05, 0.35, 0.65, 0.95]) editor.setThreshold(threshold);
	editor.endSlide();
	for (const threshold of [0.65, 0.35]) editor.setThreshold(threshold);
	editor.toggle(editor.cuts[2].id);
	assert.equal(shown(editor), '-1000..2000 3000..3500 -5000..6000');
	editor.undo();
	assert.equal(shown(editor), '-1000..2000 3000..3500 5000..6000');
	editor.undo();
	assert.equal(editor.controls.threshold, 0.95);
	assert.equal(shown(editor), '-1000..2000 -3000..3500 -5000..6000');
	editor.undo();
	assert.deepEqual(editor.controls, { threshold: 0, canUndo: false, canRedo: true });
	assert.equal(shown(editor), '1000..2000 3000..3500 5000..6000');
	editor.redo();
	assert.equal(editor.controls.threshold, 0.95);
});

await test('cuts nothing again with the slider that a hand had kept', () => {
	const editor = new CutEditor(review);
	editor.toggle(editor.cuts[0].id);
	for (const threshold of [0.7, 0]) editor.setThreshold(threshold);
	assert.equal(shown(editor), '-1000..2000 3000..3500 5000..6000');
	editor.setThreshold(0.7);
	editor.setKind('filler', true);
	editor.setThreshold(0);
	assert.equal(shown(editor), '-1000..2000 -3000..3500 5000..6000');
});

await test('lets no cut overlap another, or leave the recording', () => {
	const editor = new CutEditor(review);
	const [first, second] = editor.cuts;
	editor.move(first.id, -5, 5_800, 'Ann');
	assert.equal(shown(editor), '0..3000 3000..3500 5000..6000');
	const { by, sure, kind } = editor.cuts[0];
	assert.deepEqual([by, sure, kind], ['Ann', null, 'filler']);
	const before = editor.cuts;
	editor.move(first.id, 3_100, 3_400, 'Ann');
	editor.move(second.id, 3_000, 3_500, 'Ann');
	assert.equal(editor.cuts, before, 'nothing is new to save');
	assert.notEqual(editor.add(3_400, 3_900.4, 'Ann'), undefined);
	assert.notEqual(editor.add(9_000, 99_000, 'Ann'), undefined);
	assert.equal(shown(editor), '0..3000 3000..3500 3500..3900 5000..6000 9000..10000');
	assert.equal(editor.add(5_200, 5_800, 'Ann'), undefined);
	assert.equal(editor.add(4_000, 4_005, 'Ann'), undefined);
});

await test('shows the cursor at the place in the uncut sound', () => {
	const { cuts } = new CutEditor(review);
	const passage = { from: 500, to: 9_000, cuts };
	const places = [0, 500, 999, 1_999].map((shown) => uncutPlace(shown, passage));
	assert.deepEqual(places, [500, 2_000, 2_499, 3_999]);
	assert.equal(uncutPlace(0, { ...passage, from: 1_500 }), 2_000);
});

await test('plays two seconds after the longest cut, and never more than a minute', () => {
	const long = { ...review, mode: 'cut' as const, samples: 200_000 };
	const editor = new CutEditor({ ...long, cuts: [{ ...cuts[0], end: 120_000 }] });
	const [cut] = editor.cuts;
	const ranges = [{ start: 5_000, end: 120_000 }];
	const after = passageAround(cut, long, editor.cuts);
	assert.deepEqual(after, { from: 3_000, to: 122_000, cuts: ranges });
	assert.equal(passageAround(cut, long, []).to, 63_000);
	assert.equal(passageAround(cut, { ...long, mode: 'mute' }, editor.cuts).to, 63_000);
});

await test('plays all that is left in parts of a minute, and none that is cut whole', () => {
	const long = { samples: 200_000, sample_rate: RATE };
	const range = { start: 69_000, end: 140_000 };
	const removed = { ...cuts[0], ...range };
	const parts = passagesFrom(10_000.4, long, [removed, { ...removed, keep: true }]);
	assert.deepEqual(parts, [
		{ from: 10_000, to: 70_000, cuts: [range] },
		{ from: 130_000, to: 190_000, cuts: [range] },
		{ from: 190_000, to: 200_000, cuts: [] },
	]);
});

await test('draws tracks of different length on one axis of time', () => {
	const track = { name: 'Ann', seconds: 2, peaks: btoa('\x00\x7f\x00\x7f') };
	assert.deepEqual([...peaksOf(track, 4)], [0, 1, 0, 1, 0, 0, 0, 0]);
});

const others = [...cuts];

/** Saves to a service that answers as listed. @returns what it is sent, and what its page hears */
function savingTo(...answers: Array<Partial<Progress> | Refusal | Error>) {
	const sent: object[] = [];
	const shown: string[] = [];
	const saving = new Saving(5, {
		send: async (update) => {
			sent.push(update);
			const answer = await Promise.resolve(answers.shift());
			if (answer instanceof Error && !(answer instanceof Refusal)) throw answer;
			return answer as Progress | Refusal;
		},
		saved: ({ revision }) => shown.push(`saved ${revision}`),
		failed: ({ message }) => shown.push(message),
	});
	return { saving, sent, shown };
}

await test('saves after an answer that nobody can read, and says that there was one', async (t) => {
	t.mock.timers.enable({ apis: ['setTimeout'] });
	const { saving, shown } = savingTo(new SyntaxError('<html>'), { revision: 6 }, { revision: 7 });
	await saving.save(cuts);
	assert.match(shown.pop() ?? '', /cannot be reached/);
	assert.equal(saving.isDone, false);
	t.mock.timers.tick(3_000);
	await saving.save(others, true);
	assert.deepEqual([shown, saving.isDone], [['saved 6', 'saved 7'], true]);
});

await test('sends nothing more after a conflict', async () => {
	const { saving, sent, shown } = savingTo(new Refusal(409, '{"message":"Somebody else"}'));
	await Promise.all([saving.save(cuts), saving.save(others, true)]);
	saving.later(cuts);
	assert.deepEqual([shown, sent.length, saving.isDone], [['Somebody else'], 1, true]);
});

await test('still saves what was changed while a save was refused', async (t) => {
	t.mock.timers.enable({ apis: ['setTimeout'] });
	const { saving, shown } = savingTo(new Refusal(422, '{"message":"Too much"}'), { revision: 6 });
	const refused = saving.save(cuts);
	saving.later(others);
	await refused;
	assert.equal(saving.isDone, false);
	t.mock.timers.tick(400);
	await new Promise(setImmediate);
	assert.deepEqual([shown, saving.isDone], [['Too much', 'saved 6'], true]);
});

await using service = await startService(...QUICK, '--review');
const { ann } = service;
const edited = await reviewed(ann, { files: [await ann.upload(talk)], config });

/** Returns the list of edits once its card has a link with these words, and the link. */
async function listWith(words: string): Promise<string> {
	return await eventually(`the list says ${words}`, async () => {
		const { text } = await send('GET', `${service.url}/?open=${edited.id}`);
		const link = new RegExp(`<a(?: class="review")? href="([^"]+)">${words}</a>`).exec(text)?.[1];
		return link?.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
	});
}

await test('the list of edits links to the review, whose page runs only what carries its nonce', async () => {
	const link = await listWith('Review the cuts');
	assert.ok(link.startsWith(`/review/${edited.id}?`));
	const pages = [await send('GET', service.url + link), await send('GET', service.url + link)];
	const nonces = pages.map(({ text, headers, status }) => {
		assert.equal(status, 200);
		assert.equal(headers.get('cache-control'), 'no-store');
		assert.equal(headers.get('referrer-policy'), 'no-referrer');
		const policy = headers.get('content-security-policy') ?? '';
		assert.doesNotMatch(policy, /unsafe|script-src[^;]*self/);
		const [, nonce] = /script-src 'nonce-([^']+)'/.exec(policy) ?? [];
		for (const [tag] of text.matchAll(/<(script|style)\b[^>]*>/g))
			assert.ok(tag.includes(nonce.replaceAll('=', '&#61;')) || tag.includes(nonce), tag);
		return nonce;
	});
	assert.notEqual(nonces[0], nonces[1]);
});

await test('serves each module that the page imports, for a browser to keep', async () => {
	const { text } = await send('GET', service.url + (await listWith('Review the cuts')));
	const [, main] = / src="([^"]+)"/.exec(text) ?? [];
	const map = /<script type="importmap"[^>]*>([^<]+)</.exec(text)?.[1] ?? '';
	const { imports } = JSON.parse(map) as { imports: Record<string, string> };
	const waiting = [main, ...Object.values(imports)];
	const read = new Set<string>();
	for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
		if (read.has(path)) continue;
		read.add(path);
		const { status, headers, text: script } = await send('GET', service.url + path);
		assert.equal(status, 200, path);
		assert.match(headers.get('content-type') ?? '', /^text\/javascript/);
		assert.match(headers.get('cache-control') ?? '', /immutable/);
		const folder = path.slice(0, path.lastIndexOf('/') + 1);
		for (const [, name] of script.matchAll(/^import .* from '([^']+)'/gm))
			waiting.push(imports[name] ?? folder + name.replace('./', ''));
	}
	assert.ok(read.size > 10, [...read].join('\n'));
	const folder = main.slice(0, main.lastIndexOf('/') + 1);
	for (const path of [`${folder}..%2f..%2freviewPage.mts`, main.replace(/[0-9a-f]{16}/, 'other')])
		assert.equal((await send('GET', service.url + path)).status, 404, path);
});

await test('says in words why a link opens no review', async () => {
	const link = await listWith('Review the cuts');
	for (const wrong of [link.replace(/.$/, 'x'), link.replace(/\?.*/, ''), `${link}0`]) {
		const { status, text, contentType } = await send('GET', service.url + wrong);
		assert.deepEqual([status, contentType], [403, 'text/html; charset=utf-8']);
		assert.match(text, /No review here.*Ask for a new link/s);
	}
});

await test('a finished edit offers to change its cuts', async () => {
	await edited.decide({ revision: 0, approve: true, name: 'Ann' });
	await ann.ended(edited.id);
	assert.ok((await listWith('Change the cuts')).startsWith(`/review/${edited.id}?`));
});

await test('gives the link of a review to nobody without a key on a page for all', async () => {
	const flags = [...QUICK, '--review', '--public-page', '--public-players'];
	await using open = await startServiceForOthers(...flags);
	const { id } = await reviewed(open.ann, { files: [await open.ann.upload(talk)], config });
	const { status, text } = await send('GET', `${open.url}/?open=${id}`);
	assert.equal(status, 200);
	assert.match(text, /to review/);
	assert.doesNotMatch(text, /\/review\//);
});
