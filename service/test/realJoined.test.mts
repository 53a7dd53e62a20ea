import { convertedTo } from '../../testkit/service/media.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { casesOf } from './support/casesOf.mts';
import { beepWav, heardIn, repeated } from './support/realFiles/beeps.mts';
import { testCases, type Case } from './support/realFiles/caseTable.mts';

const wav = beepWav();
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=s=160x120:r=25:d=12', '-pix_fmt', 'yuv420p'];
const ANOTHER = /another recording behind the first, which was left out/;

/** Files that somebody joined with `cat`. */
interface Joined {
	format: string;
	options: readonly string[];
	isVideo?: boolean;
	/** How many of the three are read; what of them is not is told in a note. Default: all. */
	read?: number;
}

const FILES = casesOf<Joined>(
	[
		{ format: 'wma', options: ['-c:a', 'wmav2'], read: 1 },
		{ format: 'flv', options: ['-c:a', 'aac'] },
		{
			format: 'flv',
			options: ['-c:v', 'flv', '-c:a', 'libmp3lame'],
			isVideo: true,
			read: 1,
		},
	],
	[
		{ format: 'wmv', options: ['-c:v', 'wmv2', '-c:a', 'wmav2'], isVideo: true, read: 1 },
		{ format: 'asf', options: ['-c:a', 'wmav1'], read: 1 },
		{ format: 'webm', options: ['-c:a', 'libopus'], read: 2 },
		{ format: 'mka', options: ['-c:a', 'aac'], read: 2 },
		{
			format: 'mkv',
			options: ['-c:v', 'libx264', '-c:a', 'aac'],
			isVideo: true,
			read: 1,
		},
		{ format: 'avi', options: ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'], isVideo: true },
		{ format: 'ts', options: ['-c:v', 'libx264', '-c:a', 'mp2'], isVideo: true },
		{ format: 'ts', options: ['-c:a', 'aac'] },
		{ format: 'mpg', options: ['-c:a', 'mp2'] },
	],
);

const cases: Record<string, Case> = {};
for (const { format, options, isVideo = false, read = 3 } of FILES) {
	const inputs = isVideo ? PICTURE : [];
	const one = async () => await convertedTo(wav, format, ...inputs, ...options);
	cases[`three joined ${format} (${options.join(' ')})`] = {
		file: async () => Buffer.concat([await one(), await one(), await one()]),
		name: `talk.${format}`,
		config: { remove_noise: false, video: isVideo },
		heard: async () => repeated(await heardIn(await one()), read),
		// The sound of a video begins with silence up to its first packet.
		slackSeconds: isVideo ? 0.3 : 0.05,
		notes: read < 3 ? [ANOTHER] : [],
	};
}

await using service = await startService(...QUICK);
await testCases(cases, service.ann);
