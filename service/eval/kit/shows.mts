import { join } from 'node:path';

import { Chance } from '../../../testkit/measure/chance.mts';
import { addAt, framesOf, RATE_HZ } from '../../../testkit/media/signals.mts';
import type { KitPart } from '../../engine/types.mts';
import { runFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import { writeFfmetadata } from '../../media/tags/ffmetadata.mts';
import type { Chapter } from '../../media/tags/metadata.mts';
import type { EditConfig } from '../../shared/contract.mts';
import type { SpokenWord, TimeRange } from '../../shared/timeRanges.mts';
import { roomTone } from '../conditions.mts';
import { wavOf } from '../editors/editor.mts';
import { inputOf, MUSIC, soundFiles } from '../recorded/soundFiles.mts';
import { SPEECH_RMS, stretchesOf, WORD } from '../scene.mts';
import type { Voice } from '../show/voices.mts';

/** Music with two channels. */
const STEREO_MUSIC = '/usr/share/games/hedgewars/Data/Music/*.ogg';

/** The room, dB against speech. */
const ROOM_DB = -50;

const SENTENCES = 26;

/** Sentences between chapters. */
const CHAPTER_SENTENCES = 6;

/** A kind of show: its file, the format of each part of its kit, and its edit. */
const SHOWS = [
	{
		name: 'mono AAC, normalized',
		options: ['-c:a', 'aac', '-b:a', '128k'],
		ending: 'mka',
		config: { normalize: true, target_lufs: -16, export_format: 'wav' },
	},
	{
		name: 'stereo MP3 at 44.1 kHz, its own loudness',
		options: [
			'-ac',
			'2',
			'-ar',
			'44100',
			'-c:a',
			'libmp3lame',
			'-b:a',
			'192k',
			'-id3v2_version',
			'3',
		],
		ending: 'mp3',
		config: { export_format: 'mp3' },
	},
	{
		name: 'muted, Opus, -19 LUFS',
		options: ['-c:a', 'libopus', '-b:a', '64k'],
		ending: 'mka',
		config: { muted: true, normalize: true, target_lufs: -19, export_format: 'mp3' },
	},
] as const satisfies readonly (Omit<Show, 'path' | 'words' | 'chapters' | 'kit'> & {
	options: readonly string[];
	ending: string;
})[];

/** How intro, inserts and outro are stored. */
const FORMATS = [
	{ ending: 'mp3', options: ['-c:a', 'libmp3lame', '-b:a', '128k', '-ac', '2', '-ar', '44100'] },
	{ ending: 'm4a', options: ['-c:a', 'aac', '-b:a', '96k', '-ac', '1', '-ar', '22050'] },
	{ ending: 'opus', options: ['-c:a', 'libopus', '-b:a', '64k', '-ac', '2'] },
	{ ending: 'wav', options: ['-c:a', 'pcm_s16le', '-ac', '2', '-ar', '32000'] },
] as const;

/** A recording of which everything is known, and what belongs to its show. */
export interface Show {
	readonly name: string;
	readonly path: string;
	readonly config: EditConfig;
	/** What is said without a gap, with its times in the recording. */
	readonly words: readonly SpokenWord[];
	readonly chapters: readonly Chapter[];
	readonly kit: readonly KitPart[];
}

/** Makes shows of people who talk, with music and advertisements. */
export async function showsOf(voices: readonly Voice[], folder: string): Promise<Show[]> {
	const shows: Show[] = [];
	for (const [index, { options, ending, ...show }] of SHOWS.entries()) {
		const chance = new Chance(index + 41);
		const pair = [voices[index], voices[index + 1]];
		const { samples, words, sentences } = talkOf(pair, chance);
		const chapters = chaptersOf(sentences);
		const wav = await wavOf(samples, join(folder, `talk-${index}.wav`));
		const text = join(folder, `talk-${index}.txt`);
		await writeFfmetadata(text, { chapters, cover: null });
		const path = join(folder, `talk-${index}.${ending}`);
		await runFfmpeg(['-i', wav, '-i', text, '-map', '0:a', '-map_chapters', '1', ...options, path]);
		const kit = await kitOf(index, { voice: voices[index + 3], sentences }, folder);
		shows.push({ ...show, path, words, chapters, kit });
	}
	return shows;
}

/** Two people in turn, with pauses of all lengths. */
function talkOf(pair: readonly Voice[], chance: Chance) {
	const words: SpokenWord[] = [];
	const sentences: TimeRange[] = [];
	const parts: { samples: Float32Array; frame: number }[] = [];
	let frame = framesOf(chance.between(0.02, 1));
	for (let index = 0; index < SENTENCES; index++) {
		const { samples, marks } = chance.pick(pair[index % 2].sentences);
		parts.push({ samples, frame });
		const start = frame / RATE_HZ;
		for (const { startSeconds, endSeconds } of stretchesOf(marks, WORD)) {
			const text = `${index}.${words.length}`;
			words.push({ text, startSeconds: start + startSeconds, endSeconds: start + endSeconds });
		}
		frame += samples.length;
		sentences.push({ startSeconds: start, endSeconds: frame / RATE_HZ });
		frame += framesOf(chance.isTrue(0.3) ? chance.between(1.2, 3) : chance.between(0.25, 0.8));
	}
	const samples = roomTone(frame + framesOf(chance.between(0, 0.5)), ROOM_DB, chance);
	for (const part of parts) addAt(samples, part.samples, part.frame, SPEECH_RMS);
	return { samples, words, sentences };
}

/** Each begins with a sentence. */
function chaptersOf(sentences: readonly TimeRange[]): Chapter[] {
	const starts = sentences.filter((_, index) => index % CHAPTER_SENTENCES === 0);
	return starts.map(({ startSeconds }, index) => ({
		startSeconds: Math.round(startSeconds * 1_000) / 1_000,
		endSeconds: starts.at(index + 1)?.startSeconds ?? sentences[sentences.length - 1].endSeconds,
		title: `Chapter ${index + 1}`,
	}));
}

/** An intro and an outro of music, an advertisement before a chapter, and a jingle at a moment within a sentence. */
async function kitOf(
	index: number,
	{ voice, sentences }: { voice: Voice; sentences: readonly TimeRange[] },
	folder: string,
): Promise<KitPart[]> {
	const stereo = soundFiles(STEREO_MUSIC);
	const mono = soundFiles(MUSIC);
	const spoken = join(folder, `ad-${index}.wav`);
	await wavOf(adOf(voice), spoken);
	const sentence = sentences[15];
	const middle = (sentence.startSeconds + sentence.endSeconds) / 2;
	const made = [
		{ place: 'intro', input: inputOf(stereo[index]), seconds: 12, from: 20 },
		{ place: { atChapter: 3 }, input: inputOf(spoken), seconds: 60, from: 0 },
		{ place: { atSeconds: middle }, input: inputOf(stereo[index + 4]), seconds: 5, from: 31 },
		{ place: 'outro', input: inputOf(mono[index]), seconds: 15, from: 40 },
	] as const;
	const kit: KitPart[] = [];
	for (const [part, { place, input, seconds, from }] of made.entries()) {
		const { ending, options } = FORMATS[(index + part) % FORMATS.length];
		const name = `kit-${index}-${part}.${ending}`;
		const path = join(folder, name);
		const time = ['-ss', String(from), '-t', String(seconds)];
		// Each is at another loudness.
		const volume = ['-af', `volume=${[-14, 4, -6, -20][part]}dB`];
		await runFfmpeg([...input, '-map', '0:a', ...time, ...volume, ...options, path]);
		kit.push({ source: { path, name }, place });
	}
	return kit;
}

/** Sentences without a pause before the first and after the last. */
function adOf({ sentences }: Voice): Float32Array {
	const said = sentences.slice(0, 5);
	const gap = framesOf(0.3);
	const samples = new Float32Array(said.reduce((sum, one) => sum + one.samples.length + gap, -gap));
	let frame = 0;
	for (const one of said) {
		addAt(samples, one.samples, frame, SPEECH_RMS);
		frame += one.samples.length + gap;
	}
	return samples;
}
