import { type Bar, count } from '../../../testkit/measure/bars.mts';
import { RATE_HZ } from '../../../testkit/media/signals.mts';
import { TEXT_HELP } from '../../../testkit/service/textHelp.mts';
import { editedAudio } from '../../engine/editedAudio.mts';
import { findEdits } from '../../engine/findEdits.mts';
import { FADE_SECONDS } from '../../engine/timeline.mts';
import { pcmSourceOf, type PcmSource, readFrames } from '../../media/pcmFile.mts';
import type { TimelineEdit } from '../../shared/timeRanges.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import { checkCuts } from '../../text/wordCheck/checkCuts.mts';
import { timeAfterEdits } from '../../text/wordCheck/timeAfterCuts.mts';
import { CONFIG, trackOf } from '../editors/editor.mts';
import { actorScenes } from '../recorded/actors/actorScenes.mts';
import type { Half } from '../recorded/speakers.mts';
import { HOP_SECONDS, WORD } from '../scene.mts';
import { speechOfSamples } from '../speech/heardTalk.mts';
import { haltingTalks } from '../speech/knownTalks.mts';
import { fourTalks } from './fourTalks.mts';
import { LOSSES, type PlantedTalk, plantedTalks } from './plantedTalks.mts';

/** Of each loss in each of four languages: 60 in all. */
const EACH = 5;
const FOUND = 48;

/** Seconds of clean edits that are checked at least. */
const CLEAN_SECONDS = 600;
const TALK_SECONDS = 75;

/** A cut with more words in it takes a word, seconds. */
const WORD_SECONDS = 0.06;

type Part = (half: Half, recognizer: Transcriber, folder: string) => Promise<Bar[]>;

const PARTS: Readonly<Record<string, Part>> = { planted: plantedBars, clean: cleanBars };

/**
 * Plants cuts on words and counts which of them the check puts back, and which it puts back in clean edits.
 *
 * @param parts `planted` or `clean`; both if there is none.
 */
export async function wordCheckBars(
	half: Half,
	recognizer: Transcriber,
	folder: string,
	parts: readonly string[],
): Promise<Bar[]> {
	const bars: Bar[] = [];
	for (const [part, barsOf] of Object.entries(PARTS)) {
		if (parts.length > 0 && !parts.includes(part)) continue;
		bars.push(...(await barsOf(half, recognizer, folder)));
	}
	return bars;
}

async function plantedBars(half: Half, recognizer: Transcriber, folder: string): Promise<Bar[]> {
	const planted = new Map(LOSSES.map((loss) => [loss, 0]));
	const found = new Map(LOSSES.map((loss) => [loss, 0]));
	const languages = new Set<string>();
	let others = 0;
	for (const talk of await fourTalks(half)) {
		for await (const one of plantedTalks(talk, EACH, recognizer, folder)) {
			languages.add(talk.language);
			const restored = await restoredOf(one, recognizer, folder);
			others += restored.filter((edit) => !one.edits.some((own) => own === edit)).length;
			for (const edit of one.edits) {
				const { loss, text, kind, startSeconds } = edit;
				planted.set(loss, (planted.get(loss) ?? 0) + 1);
				if (restored.includes(edit)) found.set(loss, (found.get(loss) ?? 0) + 1);
				else console.log(`${talk.name}: missed ${loss} "${text}" at ${startSeconds} s (${kind})`);
			}
		}
	}
	const all = sumOf(planted);
	for (const loss of LOSSES) console.log(`${loss}: ${found.get(loss)} of ${planted.get(loss)}`);
	return [
		count(`planted lost words, of ${all}, that are put back exactly`, sumOf(found), FOUND, '>='),
		count('planted lost words', all, EACH * LOSSES.length * 4, '>='),
		count('their languages', languages.size, 4, '>='),
		count('cuts put back that were not planted', others),
	];
}

function sumOf(counts: ReadonlyMap<string, number>): number {
	return [...counts.values()].reduce((sum, one) => sum + one, 0);
}

/** Returns the cuts that the check puts back, and whose sound is then that of the source, sample for sample. */
async function restoredOf(
	{ talk, source, edits }: PlantedTalk,
	recognizer: Transcriber,
	folder: string,
): Promise<TimelineEdit[]> {
	const uncut = soundOf(talk.samples);
	const cut = editedAudio(uncut, edits, { mode: 'cut', isExact: false });
	const edited = await speechOfSamples(await readFrames(cut, 0, cut.frames), folder, 'edited');
	const toCheck = { source, edited, edits, timeAfter: timeAfterEdits(edits, false) };
	const { lost } = await checkCuts(toCheck, recognizer, TEXT_HELP);
	const restored = lost.map(({ edit }) => edit);
	const kept = edits.filter((edit) => !restored.includes(edit));
	const again = editedAudio(uncut, kept, { mode: 'cut', isExact: false });
	const isWhole = await Promise.all(
		restored.map(async ({ startSeconds, endSeconds }) => {
			const removed = kept.filter((edit) => edit.endSeconds <= startSeconds);
			const gone = removed.reduce((sum, edit) => sum + edit.endSeconds - edit.startSeconds, 0);
			const [from, to] = [startSeconds - FADE_SECONDS, endSeconds + FADE_SECONDS];
			const frames = Math.round((to - from) * RATE_HZ);
			const [now, then] = await Promise.all([
				readFrames(again, Math.round((from - gone) * RATE_HZ), frames),
				readFrames(uncut, Math.round(from * RATE_HZ), frames),
			]);
			return now.every((sample, at) => sample === then[at]);
		}),
	);
	return restored.filter((_, at) => isWhole[at]);
}

function soundOf(samples: Float32Array): PcmSource {
	return {
		sampleRateHz: RATE_HZ,
		channels: 1,
		frames: samples.length,
		async *chunks(start, end) {
			yield await Promise.resolve(samples.subarray(start, end));
		},
	};
}

/** The engine's own cuts, of pauses of people who read, and of real fillers of actors. */
async function cleanBars(half: Half, recognizer: Transcriber, folder: string): Promise<Bar[]> {
	const tally = { seconds: 0, cuts: 0, checked: 0, restored: 0, wrong: 0, doubtful: 0 };
	for await (const { name, samples, marks } of cleanSounds(half)) {
		const source = await speechOfSamples(samples, folder, 'clean');
		const track = await trackOf(samples, `${folder}/clean`);
		const recognized = await recognizer.transcribe(source, TEXT_HELP);
		const local = { word_check: true };
		const edits = await findEdits(CONFIG, [track], { recognized, local });
		const sound = editedAudio(pcmSourceOf(track.clean), edits, { mode: 'cut', isExact: false });
		const samplesLeft = await readFrames(sound, 0, sound.frames);
		const edited = await speechOfSamples(samplesLeft, folder, 'edited');
		const toCheck = { source, edited, edits, timeAfter: timeAfterEdits(edits, false) };
		const { checked, lost, doubtful } = await checkCuts(toCheck, recognizer, TEXT_HELP);
		const wrong = lost.filter(({ edit }) => wordSecondsIn(edit, marks) <= WORD_SECONDS);
		tally.seconds += source.seconds;
		tally.cuts += edits.length;
		tally.checked += checked;
		tally.restored += lost.length;
		tally.wrong += wrong.length;
		tally.doubtful += doubtful.length;
		for (const { edit, words } of wrong) {
			console.log(
				`${name}: ${edit.kind} at ${edit.startSeconds} s put back for "${words.map(({ text }) => text).join(' ')}"`,
			);
		}
		if (tally.seconds >= CLEAN_SECONDS) break;
	}
	console.log(`clean edits: ${JSON.stringify(tally)}`);
	const figure = (600 * tally.wrong) / Math.max(1, tally.seconds);
	return [
		{ name: 'cuts put back in 10 min of clean edits', figure, limit: 1, decimals: 1 },
		count('seconds of clean edits', Math.round(tally.seconds), CLEAN_SECONDS, '>='),
	];
}

interface CleanSound {
	name: string;
	samples: Float32Array;
	/** Undefined where every cut is taken for clean. */
	marks?: Uint8Array;
}

/** Recordings to edit: real fillers first, as often as they are there. */
async function* cleanSounds(half: Half): AsyncGenerator<CleanSound> {
	for (const talk of await haltingTalks(half, TALK_SECONDS)) yield talk;
	yield* actorScenes(half, 1);
	yield* actorScenes(half, 2);
}

function wordSecondsIn({ startSeconds, endSeconds }: TimelineEdit, marks?: Uint8Array): number {
	const [start, end] = [startSeconds, endSeconds].map((one) => Math.round(one / HOP_SECONDS));
	return (marks?.subarray(start, end).filter((mark) => mark === WORD).length ?? 0) * HOP_SECONDS;
}
