import { convertedTo } from '../../testkit/service/media.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { sevenBits } from '../media/mp3Tags.mts';
import { beepWav, heardAfterEachOther, heardIn } from './support/realFiles/beeps.mts';
import { testCases, type Case } from './support/realFiles/caseTable.mts';

const wav = beepWav();

const made = async (format: string, ...options: string[]) =>
	await convertedTo(wav, format, ...options);

/** What MP3, AAC and Opus add at each join, and at low rates: they begin before the sound and end behind it. */
const SLACK_SECONDS = 0.03;
const LOW_RATE_SLACK_SECONDS = 0.08;

/** Joins files as `cat` does. */
function joined(...files: ReadonlyArray<() => Promise<Buffer>>): Case {
	const all = async () => await Promise.all(files.map(async (file) => await file()));
	return {
		file: async () => Buffer.concat(await all()),
		heard: async () => await heardAfterEachOther(...(await all())),
		slackSeconds: SLACK_SECONDS * (files.length - 1),
	};
}

/** A file with another one behind it, which is left out. */
function left(...options: [format: string, ...options: string[]]): Case {
	const file = async () => await made(...options);
	return {
		file: async () => Buffer.concat([await file(), await file()]),
		heard: async () => await heardIn(await file()),
		notes: [/another recording behind the first, which was left out/],
	};
}

const TITLE = ['-metadata', `title=${'x'.repeat(3_000)}`];
const V1 = ['-metadata', 'title=A', '-write_id3v1', '1'];

const idTag = (file: Buffer) => file.subarray(0, 10 + sevenBits(file.subarray(6, 10)));

const LYRICS = `LYRICSBEGININD0000200LYR00011some lyrics000045LYRICS200${'TAG'.padEnd(128, '\0')}`;
const APE = Buffer.concat([
	Buffer.from('APETAGEX'),
	Buffer.from([0xd0, 7, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
]);

const of =
	(format: string, ...options: string[]) =>
	async () =>
		await made(format, ...options);
const tagged = async () => Buffer.concat([await tagOf(), await made('aac')]);
const tagOf = async () => idTag(await made('mp3', ...TITLE));

/** What is whole, though ffmpeg complains about it. */
const whole: Record<string, Case> = {
	'joined MP3s': joined(of('mp3'), of('mp3')),
	'joined MP3s with long tags': joined(of('mp3', ...TITLE), of('mp3', ...TITLE)),
	'joined MP3s with tags on both ends': joined(of('mp3', ...V1), of('mp3', ...V1)),
	'thirty joined MP3s': joined(...Array.from({ length: 30 }, () => of('mp3'))),
	'joined MP3s of variable bit rate': joined(of('mp3', '-q:a', '4'), of('mp3', '-q:a', '6')),
	'an MP3 with two tags': {
		file: async () => Buffer.concat([await tagOf(), await made('mp3', ...TITLE)]),
	},
	'an MP3 with its tag at both ends': {
		file: async () => Buffer.concat([await made('mp3', ...TITLE), await tagOf()]),
	},
	'an MP3 with lyrics behind it': {
		file: async () => Buffer.concat([await made('mp3'), Buffer.from(LYRICS, 'latin1')]),
	},
	'an MP3 with an APE tag behind it': {
		file: async () => Buffer.concat([await made('mp3'), APE]),
	},
	'an AAC with two tags': {
		file: async () => Buffer.concat([await tagOf(), await tagged()]),
		heard: async () => await heardIn(await made('aac')),
		slackSeconds: SLACK_SECONDS,
	},
	'joined AACs': joined(of('aac'), of('aac')),
	'joined AACs with tags': joined(tagged, tagged),
	'joined FLACs': joined(of('flac'), of('flac')),
	'joined AC-3s': joined(of('ac3'), of('ac3')),
};

for (const codec of ['libopus', 'libvorbis', 'flac']) {
	const one = of('ogg', '-c:a', codec);
	whole[`a chained Ogg of ${codec}`] = joined(one, one);
	whole[`an Ogg of ${codec} with five links`] = joined(one, one, one, one, one);
}

const vorbis = ['-c:a', 'libvorbis'];
const opus = ['-c:a', 'libopus'];
const changing: Record<string, Case> = {
	'an MP4 with another one behind it': left('m4a'),
	'an MP4 in parts with another one behind it': left(
		'm4a',
		'-movflags',
		'frag_keyframe+empty_moov',
	),
	'MP3s of two rates': joined(of('mp3'), of('mp3', '-ar', '22050')),
	'MP3s of two rates, the lower first': {
		...joined(of('mp3', '-ar', '22050'), of('mp3')),
		slackSeconds: LOW_RATE_SLACK_SECONDS,
	},
	'MP3s of one and two channels': joined(of('mp3'), of('mp3', '-ac', '2')),
	'AACs of two rates': joined(of('aac'), of('aac', '-ar', '22050')),
	'AACs of two and one channels': joined(of('aac', '-ac', '2'), of('aac')),
	'FLACs of two rates': joined(of('flac'), of('flac', '-ar', '44100')),
	'an Ogg whose rate changes': joined(of('ogg', ...vorbis), of('ogg', ...vorbis, '-ar', '24000')),
	'an Ogg whose channels change': joined(of('ogg', ...opus), of('ogg', ...opus, '-ac', '2')),
};

await using service = await startService(...QUICK);
await testCases(whole, service.ann);
await testCases(changing, service.ann);
