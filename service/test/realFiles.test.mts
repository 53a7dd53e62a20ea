import { randomBytes } from 'node:crypto';

import { convertedTo } from '../../testkit/service/media.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { BEEPS, beepWav, repeated, type BeepPlan } from './support/realFiles/beeps.mts';
import { testCases, type Case } from './support/realFiles/caseTable.mts';
import { asRifx, saying, SIZE_FIELDS, waveChunk, withChunks } from './support/realFiles/sizes.mts';

const wav = beepWav();
const TWICE = repeated(BEEPS, 2);
const SECOND = 48_000 * 2;
const all = BEEPS.seconds * SECOND;

/** The beeps in whole blocks of ADPCM. */
const BLOCKS: BeepPlan = { seconds: (282 * 2_041) / 48_000, atSeconds: BEEPS.atSeconds };

/** What ffmpeg needs to write each container. */
const MAKERS = {
	wav: ['wav'],
	rf64: ['wav', '-rf64', 'always'],
	w64: ['w64'],
	aiff: ['aiff'],
	caf: ['caf', '-c:a', 'pcm_s16be'],
	au: ['au'],
} as const;

type Sized = keyof typeof MAKERS;
const SIZED = Object.keys(MAKERS) as Sized[];

async function made(kind: Sized): Promise<Buffer> {
	const [extension, ...options] = MAKERS[kind];
	return await convertedTo(wav, extension, ...options);
}

const list = waveChunk('LIST', 'INFOINAM\x06\0\0\0talks\0');
const samples = wav.subarray(44);

const cases: Record<string, Case> = {
	'a RIFX': { file: () => asRifx(wav) },
	'a RIFX that says 4 s': {
		file: () => saying(asRifx(wav), SIZE_FIELDS.rifx, 4 * SECOND),
	},
	'a WAV that says 4 s twice': {
		file() {
			const died = saying(wav, SIZE_FIELDS.wav, 4 * SECOND);
			died.writeUInt32LE(36 + 4 * SECOND, 4);
			return died;
		},
	},
	'a WAV that says 4 s, with a chunk behind its sound': {
		file: () => saying(withChunks(wav, { behind: list }), SIZE_FIELDS.wav, 4 * SECOND),
	},
	'a WAV that says 30 s, with a chunk behind its sound': {
		file: () => saying(withChunks(wav, { behind: list }), SIZE_FIELDS.wav, 30 * SECOND),
	},
	'joined WAVs that say 4 s': {
		file() {
			const small = saying(withChunks(wav, { behind: list }), SIZE_FIELDS.wav, 4 * SECOND);
			return Buffer.concat([small, small]);
		},
		heard: TWICE,
	},
	'joined WAVs of pipes, which say nothing': {
		file() {
			const piped = saying(wav, SIZE_FIELDS.wav, 0xffff_ffff);
			return Buffer.concat([piped, saying(wav, SIZE_FIELDS.wav, 0), piped]);
		},
		heard: repeated(BEEPS, 3),
	},
	'joined WAVs of ADPCM': {
		async file() {
			const adpcm = await convertedTo(beepWav(BLOCKS), 'wav', '-c:a', 'adpcm_ima_wav');
			return Buffer.concat([adpcm, adpcm]);
		},
		heard: repeated(BLOCKS, 2),
	},
	'joined WAVs of two formats': {
		file: async () => Buffer.concat([wav, await convertedTo(wav, 'wav', '-ar', '44100')]),
		notes: [/^the file holds another recording behind the first, which was left out: upload it/],
	},
	'random bytes behind the sound of a WAV': {
		file: () => Buffer.concat([wav, randomBytes(SECOND)]),
		notes: [/^the file has 96000 bytes behind its sound that are no sound: they were left out$/],
	},
	'an MP3 behind the sound of a WAV': {
		file: async () => Buffer.concat([wav, await convertedTo(wav, 'mp3')]),
		notes: [/^the file has \d+ bytes behind its sound that are no sound: they were left out$/],
	},
	'silence behind the sound of a WAV': {
		file: () => Buffer.concat([wav, Buffer.alloc(2 * SECOND)]),
		notes: [/^the file ends with 2\.0 s of digital silence that its header does not count/],
	},
	'tags behind the sound of a WAV': {
		file: () => Buffer.concat([wav, Buffer.from('TAG'.padEnd(128, '\0'))]),
	},
	'a chunk of odd size without its byte of padding': {
		file: () => withChunks(wav, { before: waveChunk('iXML', '<a>odd</a>\n', false) }),
	},
	'two chunks of odd size without padding, and one behind the sound': {
		file: () =>
			withChunks(wav, {
				before: Buffer.concat([
					waveChunk('bext', 'x'.repeat(603), false),
					waveChunk('iXML', '<a>odd</a>\n', false),
				]),
				behind: waveChunk('id3 ', 'odd', false),
			}),
	},
	'a chunk of odd size with its byte of padding': {
		file: () => withChunks(wav, { before: waveChunk('iXML', '<a>odd</a>\n') }),
	},
	'sound of odd size without padding, with a chunk behind it': {
		file() {
			const odd = Buffer.concat([wav.subarray(0, 44), samples, Buffer.from([1]), list]);
			return saying(odd, SIZE_FIELDS.wav, all + 1);
		},
	},
	'an AIFF whose first size was never written': {
		async file() {
			const aiff = await made('aiff');
			aiff.writeUInt32BE(46, 4);
			return aiff;
		},
	},
};

for (const kind of SIZED) {
	cases[`a ${kind} that says 4 s`] = {
		file: async () => saying(await made(kind), SIZE_FIELDS[kind], 4 * SECOND),
		name: `talk.${kind}`,
	};
	cases[`a ${kind} that says nothing`] = {
		file: async () => saying(await made(kind), SIZE_FIELDS[kind], 0),
		name: `talk.${kind}`,
	};
	cases[`joined ${kind}`] = {
		async file() {
			const one = await made(kind);
			return Buffer.concat([one, one]);
		},
		name: `talk.${kind}`,
		heard: TWICE,
	};
}

await using service = await startService(...QUICK);
await testCases(cases, service.ann);
