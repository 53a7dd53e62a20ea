import * as fc from 'fast-check';

import { subtitleCues, toSrt, toWebVtt } from '../../formats/transcript/subtitles';
import { convertWithFfmpeg, probeCues, readWithLibrary } from '../../testkit/media/captionReaders';
import {
	TALK,
	anyResultBody,
	resultOf,
	sayWords,
	transcribed,
} from '../../testkit/service/results';

describe('the files', () => {
	const body = transcribed(
		sayWords(`${TALK} That is <b>R&D</b> --> {\\an8} 42 &amp; so on.`, 93_600),
		[
			{ start: 0, end: 93_616, speaker: 'Speaker 1' },
			{ start: 93_616, end: 99_999, speaker: 'Speaker <2> & Co' },
		],
	);
	const cues = subtitleCues(resultOf(body));
	const srt = toSrt(cues) ?? '';
	const vtt = toWebVtt(cues) ?? '';
	const times = cues.map(({ startMs, endMs }) => [startMs / 1_000, (endMs - startMs) / 1_000]);
	const texts = cues.map(({ lines }) => lines.join('\n'));

	it('follow their formats', () => {
		expect(srt).toMatch(
			/^1\n26:00:00,000 --> 26:00:0\d,\d{3}\nWelcome back to the Slow Kitchen,\n/,
		);
		expect(vtt).toMatch(/^WEBVTT\n\n26:00:00\.000 --> 26:00:0\d\.\d{3}\n<v Speaker 1>Welcome back/);
		expect(vtt).toContain('<v Speaker &lt;2&gt; &amp; Co>');
		expect(vtt).toContain('&lt;b&gt;R&amp;D&lt;/b&gt;');
	});

	it('survive a conversion by ffmpeg, even with text that looks like markup', async () => {
		const converted = convertWithFfmpeg({ type: 'srt', text: srt });
		// ffmpeg writes no escapes, so its output is compared as is.
		for (const text of texts.flatMap((cue) => cue.split('\n'))) {
			expect(converted.text.replace(/\u2060/g, '')).toContain(text);
		}
		const { cues: read } = await readWithLibrary(convertWithFfmpeg({ type: 'vtt', text: vtt }));
		expect(read.map(({ startTime }) => startTime)).toEqual(times.map(([start]) => start));
	});
});

it('any file is read correctly by other readers', async () => {
	const results = fc.sample(anyResultBody, { numRuns: 300, seed: 7 }).map(resultOf);
	const made = results.map(subtitleCues).filter((cues) => cues.length > 0);
	expect(made.length).toBeGreaterThan(50);
	const vtts = made.map((cues) => ({ type: 'vtt' as const, text: toWebVtt(cues) ?? '' }));
	const srts = made.map((cues) => ({ type: 'srt' as const, text: toSrt(cues) ?? '' }));
	for (const [index, cues] of made.entries()) {
		const expected = cues.map(({ startMs, endMs, lines }) => ({
			startTime: startMs / 1_000,
			endTime: endMs / 1_000,
			text: lines.join('\n'),
		}));
		const fromVtt = await readWithLibrary(vtts[index]);
		for (const read of [fromVtt, await readWithLibrary(srts[index])]) {
			expect(read.errors).toEqual([]);
			const understood = read.cues.map(({ startTime, endTime, text }) => ({
				startTime,
				endTime,
				text: text.replace(/(?<=[<{-])\u2060/g, ''),
			}));
			expect(understood).toEqual(expected);
		}
		const speakers = cues.flatMap(({ speaker }) => speaker ?? []);
		expect(fromVtt.cues.flatMap((cue) => cue.speakers)).toEqual(speakers);
	}
	for (const file of [...srts.slice(0, 5), ...vtts.slice(0, 5)]) {
		const cueCount = file.text.split(' --> ').length - 1;
		expect(probeCues(file)).toHaveLength(cueCount);
	}
});
