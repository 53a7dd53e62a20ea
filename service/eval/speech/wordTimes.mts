import { type Bar, count } from '../../../testkit/measure/bars.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import type { Half } from '../recorded/speakers.mts';
import { heardWords, type Judgement, judged, percent, sumOf } from './heardTalk.mts';
import { wordTalks } from './knownTalks.mts';

/** Words that are recordings of their own, five to a phrase, a voice; twice in another order, in other phrases. */
const WORDS_SECONDS = 240;
const ORDERS = [1, 2];

const OFF_SECONDS = 0.3;

/** Fewer say little. */
const MIN_BORDERS = 500;

/** Lets a recognizer hear phrases that are joined from recordings of single words, and compares where the words are. */
export async function wordTimeBars(
	half: Half,
	recognizer: Transcriber,
	folder: string,
): Promise<Bar[]> {
	const judgements: Judgement[] = [];
	for (const order of ORDERS) {
		for (const { said, samples } of await wordTalks(half, WORDS_SECONDS, order)) {
			judgements.push(judged(said, await heardWords(samples, recognizer, folder)));
		}
	}
	const { placed, said, wrong } = sumOf(judgements);
	console.log(
		`${placed.length} of ${said} words have known places and were recognized, ${percent(wrong, said).toFixed(1)} % wrong`,
	);
	const offsOf = (key: 'startSeconds' | 'endSeconds') =>
		placed.map(({ said: { place }, heard }) => Math.abs(heard[key] - (place?.[key] ?? 0)));
	const bars = (['startSeconds', 'endSeconds'] as const).map((key): Bar => {
		const offs = offsOf(key);
		const sorted = offs.toSorted((a, b) => a - b);
		const off = offs.filter((one) => one > OFF_SECONDS).length;
		const median = 1000 * (sorted[Math.floor(sorted.length / 2)] ?? 0);
		const which = key === 'startSeconds' ? 'starts' : 'ends';
		const name = `${which} off by more than 300 ms (median ${median.toFixed(0)} ms)`;
		const limit = key === 'startSeconds' ? 15 : 20;
		return { name, figure: percent(off, placed.length), limit, decimals: 1, unit: '%' };
	});
	return [...bars, count('borders with known places', 2 * placed.length, MIN_BORDERS, '>=')];
}
