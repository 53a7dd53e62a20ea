import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { itemsOf, readFile, startEngine, storeFile } from '../../../testkit/n8n/n8nEngine';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import { decoded, encodedSound, probed } from '../../../testkit/media/mediaFiles';
import { useRecordingService } from '../../../testkit/service/recordingService';
import { callAsTool } from '../../../testkit/n8n/callAsTool';

const NODE = 'audioEditing';
const SECONDS = 240;
const PREVIEW = { previewMinutes: 1 };

const service = useRecordingService();

const wav = encodedSound(SECONDS, ['-c:a', 'pcm_s16le', '-ac', '1', '-ar', '8000'], 'wav');
const mp3 = encodedSound(SECONDS, ['-q:a', '7', '-ac', '1', '-ar', '16000'], 'mp3');

async function itemOf(file: Buffer, name: string, type = 'audio/wav'): Promise<INodeExecutionData> {
	return { json: {}, binary: { data: await storeFile(file, name, type) } };
}

const uploads = () => service.seen.filter(({ method }) => method === 'PUT');

const submissions = () =>
	service.seen
		.filter(({ method, path }) => method === 'POST' && path === '/v2/edits')
		.map(({ body }) => JSON.parse(body) as { input: { config: object; template_id?: number } });

/** Returns what was uploaded of one file, and how the node ended. */
async function previewed(item: INodeExecutionData, parameters: INodeParameters = {}) {
	const ended = await service.edit([item], { ...PREVIEW, ...parameters });
	expect(ended.error).toBeUndefined();
	const [put] = uploads();
	return { ...ended, file: Buffer.from(put.bytes) };
}

describe('the preview of a WAV file', () => {
	it('is a minute from a third on, to the sample, and not more bytes than it needs', async () => {
		const { file, out, hints } = await previewed(await itemOf(wav, 'talk.wav'));
		const from = (SECONDS / 3) * 8_000 * 4;
		const whole = decoded(wav, 'whole.wav');
		const sound = decoded(file, 'a.wav');
		expect(sound.equals(whole.subarray(from, from + 60 * 8_000 * 4))).toBe(true);
		expect(file.length).toBeLessThan(((wav.length * 60) / SECONDS) * 1.2);
		expect(uploads()[0].headers['content-length']).toBe(String(file.length));
		expect(service.uploaded).toEqual(['talk-preview.wav']);
		expect(out[0].json).toMatchObject({
			sourceFileName: 'talk.wav',
			editedFileName: 'talk-preview.wav',
			edit: { durationBeforeSeconds: 60 },
		});
		expect(hints.join()).toMatch(
			/^'talk\.wav' \(01:20 to 02:20\): edited as a preview, .* charged by itself\./,
		);
	});

	it('is the same of a file that n8n keeps in memory', async () => {
		const { file } = await previewed(await itemOf(wav, 'talk.wav'));
		service.seen.length = 0;
		await startEngine('default');
		const inMemory = await itemOf(wav, 'talk.wav');
		expect(inMemory.binary!.data.id).toBeUndefined();
		const same = await previewed(inMemory);
		await startEngine();
		expect(same.file.equals(file)).toBe(true);
	});

	it('is all of a short file, which the node says', async () => {
		const short = encodedSound(20, ['-c:a', 'pcm_s16le'], 'wav');
		const { file, hints } = await previewed(await itemOf(short, 'short.wav'));
		expect(decoded(file, 'a.wav').equals(decoded(short, 'short.wav'))).toBe(true);
		expect(hints.join()).toContain(
			"'short.wav' (all of it, because it is short): edited as a preview",
		);
	});

	it('is of the same minute in each track', async () => {
		const longer = encodedSound(300, ['-c:a', 'pcm_s16le', '-ac', '1', '-ar', '8000'], 'wav');
		const items = [await itemOf(longer, 'host.wav'), await itemOf(wav, 'guest.wav')];
		await service.edit(items, { ...PREVIEW, itemsAre: 'tracks' });
		const [host, guest] = uploads().map(({ bytes }) => Buffer.from(bytes));
		expect(host.equals(guest)).toBe(true);
		expect(submissions()).toHaveLength(1);
	});

	it('is as long as the shortest track, which the node does not call all of the recording', async () => {
		const jingle = encodedSound(20, ['-c:a', 'pcm_s16le', '-ac', '1', '-ar', '8000'], 'wav');
		const items = [await itemOf(wav, 'host.wav'), await itemOf(jingle, 'jingle.wav')];
		const { hints } = await service.edit(items, { ...PREVIEW, itemsAre: 'tracks' });
		expect(hints.join()).toContain("'host.wav' (00:00 to 00:20): edited as a preview");
	});

	it('breaks off with the item, if n8n loses the end of the file', async () => {
		const item = await itemOf(wav, 'talk.wav');
		const header = Buffer.from(wav.subarray(0, 100_000));
		const cut = { ...(await itemOf(header, 'talk.wav')).binary!.data, fileName: 'talk.wav' };
		const { error } = await service.edit([item, { json: {}, binary: { data: cut } }], PREVIEW);
		// The header states 240 s, and 6 s are there: that is all of it.
		expect(error).toBeUndefined();
		expect(uploads().map(({ bytes }) => bytes.length)).toContain(header.length - 34);
	});
});

describe('the preview of an MP3 file', () => {
	it('sounds as the minute from a third on, in not more bytes than it needs', async () => {
		const { file } = await previewed(await itemOf(mp3, 'talk.mp3', 'audio/mpeg'));
		const length = Number(probed(file, 'a.mp3').format.duration);
		expect(Math.abs(length - 60)).toBeLessThan(0.3);
		expect(file.length).toBeLessThan(((mp3.length * 60) / SECONDS) * 1.2);
		// After the frames that fade in, the same samples as in the whole file, at their time.
		const whole = decoded(mp3, 'whole.mp3');
		const sound = decoded(file, 'a.mp3');
		const lead = sound.length - 60 * 16_000 * 4;
		const inner = sound.subarray(lead + 4_000 * 4, -4_000 * 4);
		const at = whole.indexOf(inner.subarray(0, 400));
		expect(whole.subarray(at, at + inner.length).equals(inner)).toBe(true);
		const startSeconds = (at - 4_000 * 4) / (16_000 * 4);
		expect(Math.abs(startSeconds - SECONDS / 3)).toBeLessThan(0.2);
		expect(service.uploaded).toEqual(['talk-preview.mp3']);
	});

	it('has neither cover nor totals of the whole, and the place is counted, not believed', async () => {
		const head = Buffer.alloc(10 + 2_000_000);
		head.write('ID3\x04', 'latin1');
		[0, 1, 2, 3].forEach((index) => {
			head[6 + index] = (2_000_000 >> (7 * (3 - index))) & 0x7f;
		});
		const wrong = Buffer.from(mp3);
		const info = wrong.indexOf('Xing');
		wrong.writeUInt32BE(3_000_000, info + 8);
		const end = Buffer.concat([Buffer.from('APETAGEX'), Buffer.alloc(50_000), Buffer.from('TAG')]);
		const tagged = Buffer.concat([head, wrong, end, Buffer.alloc(125)]);
		const { file } = await previewed(await itemOf(tagged, 'talk.mp3', 'audio/mpeg'));
		service.seen.length = 0;
		const plain = await previewed(await itemOf(mp3, 'talk.mp3', 'audio/mpeg'));
		expect(file.equals(plain.file)).toBe(true);
	});
});

describe('a preview is refused before anything is sent', () => {
	it.each<[string, string[], string]>([
		['m4a', ['-c:a', 'aac'], 'audio/mp4'],
		['flac', [], 'audio/flac'],
		['wav', ['-c:a', 'flac', '-f', 'flac'], 'audio/wav'],
		['mp3', ['-c:a', 'aac', '-f', 'adts'], 'audio/mpeg'],
		// With tags in front, as MP3 files have them.
		['aac', ['-c:a', 'aac', '-f', 'adts', '-write_id3v2', '1'], 'audio/aac'],
	])('of a file .%s that is made with %j', async (extension, args, type) => {
		const other = await itemOf(encodedSound(2, args, extension), `a.${extension}`, type);
		const good = await itemOf(wav, 'talk.wav');
		const { error } = await service.edit([good, other], PREVIEW);
		expect(error?.message).toBe(
			`a.${extension}: 'Preview Only (Minutes)' works for MP3 files and uncompressed WAV files, and 'a.${extension}' is neither, or is damaged [item 1]`,
		);
		expect(service.seen).toEqual([]);
	});

	it.each<[INodeParameters, string]>([
		[{ recordingFrom: 'url', fileUrls: 'https://f.example.com/a.wav' }, "set to 'URL'"],
		[{ preset: 'transcriptOnly', remove_noise: 'false' }, 'and nothing else is switched on'],
		[{ transfer: 'link' }, "'Transfer' is set to 'Signed Link'"],
		[{ previewMinutes: 0 }, 'must be from 0.5 to 10, not 0'],
		[{ previewMinutes: 11 }, 'must be from 0.5 to 10, not 11'],
		[{ previewMinutes: '={{ undefined }}' }, 'must be a number of 0 or more, not null'],
	])('with %j', async (parameters, said) => {
		const { error } = await service.edit([await itemOf(wav, 'talk.wav')], {
			...PREVIEW,
			...parameters,
		});
		expect(error?.message).toContain(said);
		expect(error?.description).toMatch(/^Nothing was sent\./);
		expect(service.seen).toEqual([]);
	});

	it('in a tool, which has a URL', async () => {
		const parameters = { files: PREVIEW, fileUrls: 'https://f.example.com/a.wav' };
		const [answer] = await callAsTool(service, { nodeName: NODE, parameters });
		expect(answer).toContain("'Preview Only (Minutes)' needs a file that this node uploads");
		expect(service.seen).toEqual([]);
	});
});

it('a file that only its name says is an MP3 fails alone, and is not charged', async () => {
	const bad = await itemOf(Buffer.from('notes of a meeting'.repeat(999)), 'a.mp3', 'audio/mpeg');
	const settings = { onError: 'continueErrorOutput' } as const;
	const items = [bad, await itemOf(wav, 'talk.wav')];
	const { run, out } = await service.edit(items, PREVIEW, { settings });
	expect(out.map(({ json }) => json.sourceFileName)).toEqual(['talk.wav']);
	expect(itemsOf(run, NODE, 1)).toHaveLength(1);
	expect(service.charged).toEqual(['talk-preview.wav']);
});

describe('of a preview', () => {
	const SETTINGS = {
		preset: 'podcastEpisode',
		signed_url: 'https://bucket.example.com/a?signature=1',
		send_email: true,
		studio_sound: 'true',
		...groupedFormats(['subtitlesSrt', 'showNotesMarkdown', 'soundbites']),
	};

	it('nothing is delivered or written', async () => {
		const { out } = await previewed(await itemOf(wav, 'talk.wav'), SETTINGS);
		const [{ input }] = submissions();
		const left = ['transcription', 'summarize', 'social_content', 'signed_url', 'send_email'];
		expect(Object.keys(input.config).filter((key) => left.includes(key))).toEqual([]);
		expect(input.config).toMatchObject({ fillers: true, normalize: true, studio_sound: true });
		expect(Object.keys(out[0].binary!)).toEqual(['data']);
		expect((await readFile(out[0].binary!.data)).toString()).toBe('edited edit-1');
	});

	it('the edited file is fetched, also if it would have been delivered elsewhere', async () => {
		const elsewhere = { ...SETTINGS, download: [] };
		const { out } = await previewed(await itemOf(wav, 'talk.wav'), elsewhere);
		expect((await readFile(out[0].binary!.data)).toString()).toBe('edited edit-1');
		expect(out[0].json.editedFileName).toBe('talk-preview.wav');
	});

	it('what a template would deliver or write is switched off', async () => {
		const templateId = { __rl: true, mode: 'id', value: '12' };
		const template = { configure: 'template', templateId };
		await previewed(await itemOf(wav, 'talk.wav'), { ...template, ...SETTINGS });
		const [{ input }] = submissions();
		expect(input).toMatchObject({
			template_id: 12,
			config: {
				transcription: false,
				summarize: false,
				social_content: false,
				signed_url: null,
				send_email: false,
				studio_sound: true,
			},
		});
	});
});

it('an item whose preview was not finished in time goes on with it', async () => {
	service.seconds['talk-preview.wav'] = 200;
	const parameters = {
		...PREVIEW,
		maximumWaitMinutes: 2,
		whenTimeIsUp: 'passOn',
		preset: 'podcastEpisode',
		...groupedFormats(['subtitlesSrt']),
	};
	const { out } = await service.edit([await itemOf(wav, 'talk.wav')], parameters);
	expect(out[0].json.finished).toBe(false);
	const later = await service.edit(out, parameters);
	expect(later.error).toBeUndefined();
	expect(later.out[0].json).toMatchObject({ finished: true, editedFileName: 'talk-preview.wav' });
	expect(service.charged).toEqual(['talk-preview.wav']);
});

describe('a retry of the execution', () => {
	it('neither pays again nor needs the file, which n8n may have deleted', async () => {
		const item = await itemOf(wav, 'talk.wav');
		service.fault = ({ path }) => (path.startsWith('/files/') ? { status: 404 } : undefined);
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const { error } = await service.edit([item], PREVIEW, { settings });
		expect(error?.message).toContain('talk.wav');
		expect(uploads()).toHaveLength(1);
		expect(service.charged).toEqual(['talk-preview.wav']);
	});
});
