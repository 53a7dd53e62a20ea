/** `npm run bench -w service -- metrics`: names, keys and URLs in /metrics after edits with hostile ones, some of which fail. */
import { shortRecording as talk } from '../../testkit/service/recordings.mts';
import { reply, startOutsideServer } from '../../testkit/service/servers.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { count, printBars } from '../../testkit/measure/bars.mts';

const NAMES = ['hush.wav', 'hush"} 1\nhush{a="', 'ENOSPC no memory hush', '# HELP hush hush'];

await using web = await startOutsideServer(({ url }, response) => {
	reply(response, url.includes('found') ? 200 : 404, url.includes('found') ? talk : 'hush');
});
await using service = await startService(...QUICK);
const { ann, clock } = service;
const ids: string[] = [];
const run = async (url: string, config = {}) => {
	ids.push((await ann.ended(await ann.create({ files: [url], config }))).task_id);
};
for (const name of NAMES) {
	for (const bytes of [talk, Buffer.from('hush')]) await run(await ann.upload(bytes, name));
	await run(await ann.upload(talk, name), { signed_url: `${web.url}/hush?sig=hush` });
	const found = `${web.url}/found/${encodeURIComponent(name)}?sig=hush`;
	for (const url of [found, found.replace('found', 'gone')]) await run(url);
}
clock.advance(5_000);
const { text } = await ann.call('GET', '/metrics');
const ended = [...text.matchAll(/^audio_editing_finished_edits_total\{.*\} (?!0)(\d+)$/gm)];
if (ended.length !== 2) throw new Error('/metrics does not count the edits');
const secret = ['hush', ann.key, '://', '127.0.0.1', '.wav', 'sig=', ...ids];
const found = secret.filter((one) => text.includes(one));
printBars([count('names, keys or URLs in /metrics', found.length, 0)]);
