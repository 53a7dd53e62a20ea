import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Decisions } from '../../service/http/review/page/client/decisions.mts';
import { uncutPlace } from '../../service/http/review/page/client/times.mts';
import { talk } from './support/recordings.mts';
import { send } from './support/client.mts';
import { reviewed } from './support/reviews.mts';
import { eventually } from '../support/eventually.mts';
import { QUICK, startService, startServiceForOthers } from './support/testService.mts';

const RATE = 1_000;
const found = { track: null, by: 'engine', keep: false } as const;
const review = {
	...{ samples: 10_000, sample_rate: RATE },
	cuts: [
		{ ...found, kind: 'breath' as const, start: 5_000, end: 6_000, sure: 0.9 },
		{ ...found, kind: 'filler' as const, start: 1_000, end: 2_000, sure: 0.3 },
		{ ...found, kind: 'filler' as const, start: 3_000, end: 3_500, sure: 0.6 },
	],
};

/** Returns the borders of the cuts; those that stay have a minus. */
const shown = ({ cuts }: Decisions) =>
	cuts.map(({ start, end, keep }) => `${keep ? '-' : ''}${start}..${end}`).join(' ');

await test('sorts the cuts, and undoes and redoes each change', () => {
	const decisions = new Decisions(review);
	assert.equal(shown(decisions), '1000..2000 3000..3500 5000..6000');
	decisions.toggle(decisions.cuts[0].id);
	decisions.setKind('filler', true);
	assert.equal(shown(decisions), '-1000..2000 -3000..3500 5000..6000');
	decisions.undo();
	assert.equal(shown(decisions), '-1000..2000 3000..3500 5000..6000');
	decisions.undo();
	decisions.undo();
	assert.equal(shown(decisions), '1000..2000 3000..3500 5000..6000');
	assert.equal(decisions.canUndo, false);
	decisions.redo();
	decisions.toggle(decisions.cuts[2].id);
	assert.equal(decisions.canRedo, false);
	assert.equal(shown(decisions), '-1000..2000 3000..3500 -5000..6000');
});

await test('keeps what is less sure than the slider, and cuts it again when the slider goes back', () => {
	const decisions = new Decisions(review);
	decisions.toggle(decisions.cuts[2].id);
	decisions.setThreshold(0.7);
	assert.equal(shown(decisions), '-1000..2000 -3000..3500 -5000..6000');
	decisions.setThreshold(0.5);
	assert.equal(shown(decisions), '-1000..2000 3000..3500 -5000..6000');
	decisions.undo();
	assert.equal(decisions.threshold, 0.7);
});

await test('lets no cut overlap another, or leave the recording', () => {
	const decisions = new Decisions(review);
	const [first] = decisions.cuts;
	assert.equal(decisions.move(first.id, -5, 3_200, 'Ann'), true);
	assert.equal(shown(decisions), '0..3000 3000..3500 5000..6000');
	assert.deepEqual(
		[decisions.cuts[0].by, decisions.cuts[0].sure, decisions.cuts[0].kind],
		['Ann', null, 'filler'],
	);
	assert.equal(decisions.move(first.id, 3_100, 3_400, 'Ann'), false);
	assert.notEqual(decisions.add(3_400, 3_900.4, 'Ann'), undefined);
	assert.notEqual(decisions.add(9_000, 99_000, 'Ann'), undefined);
	assert.equal(shown(decisions), '0..3000 3000..3500 3500..3900 5000..6000 9000..10000');
	assert.equal(decisions.add(5_200, 5_800, 'Ann'), undefined);
	assert.equal(decisions.add(4_000, 4_005, 'Ann'), undefined);
});

await test('shows the cursor at the place in the uncut sound', () => {
	const { cuts } = new Decisions(review);
	const places = [500, 999, 1_000, 1_999, 2_000].map((place) => uncutPlace(place, cuts));
	assert.deepEqual(places, [500, 999, 2_000, 2_999, 3_500]);
});

await using service = await startService(...QUICK, '--review');
const { ann } = service;
const config = { long_silences: true, remove_noise: false } as const;
const edited = await reviewed(ann, { files: [await ann.upload(talk)], config });

/** Returns the list of edits once its card has a link with these words, and the link. */
async function listWith(words: string): Promise<string> {
	return await eventually(`the list says ${words}`, async () => {
		const { text } = await send('GET', service.url);
		const link = new RegExp(`<a href="([^"]+)">${words}</a>`).exec(text)?.[1];
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
	const files = [await open.ann.upload(talk)];
	await reviewed(open.ann, { files, config: { long_silences: true, remove_noise: false } });
	const { status, text } = await send('GET', open.url);
	assert.equal(status, 200);
	assert.match(text, /to review/);
	assert.doesNotMatch(text, /\/review\//);
});
