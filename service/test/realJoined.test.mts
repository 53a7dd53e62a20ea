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
	/** Whether only the first is read, with a note. */
	isFirstOnly?: boolean;
}

const FILES = casesOf<Joined>(
	[
		{ format: 'wma', options: ['-c:a', 'wmav2'], isFirstOnly: true },
		{ format: 'flv', options: ['-c:a', 'aac'] },
		{
			format: 'flv',
			options: ['-c:v', 'flv', '-c:a', 'libmp3lame'],
			isVideo: true,
			isFirstOnly: true,
		},
	],
	[
		{ format: 'wmv', options: ['-c:v', 'wmv2', '-c:a', 'wmav2'], isVideo: true, isFirstOnly: true },
		{ format: 'asf', options: ['-c:a', 'wmav1'], isFirstOnly: true },
		{ format: 'webm', options: ['-c:a', 'libopus'] },
		{ format: 'mka', options: ['-c:a', 'aac'] },
		{
			format: 'mkv',
			options: ['-c:v', 'libx264', '-c:a', 'aac'],
			isVideo: true,
			isFirstOnly: true,
		},
		{ format: 'avi', options: ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'], isVideo: true },
		{ format: 'ts', options: ['-c:v', 'libx264', '-c:a', 'mp2'], isVideo: true },
		{ format: 'ts', options: ['-c:a', 'aac'] },
		{ format: 'mpg', options: ['-c:a', 'mp2'] },
	],
);

const cases: Record<string, Case> = {};
for (const { format, options, isVideo = false, isFirstOnly = false } of FILES) {
	const inputs = isVideo ? PICTURE : [];
	const one = async () => await convertedTo(wav, format, ...inputs, ...options);
	cases[`two joined ${format} (${options.join(' ')})`] = {
		file: async () => Buffer.concat([await one(), await one()]),
		name: `talk.${format}`,
		config: { remove_noise: false, video: isVideo },
		heard: async () => repeated(await heardIn(await one()), isFirstOnly ? 1 : 2),
		// The sound of a video begins with silence up to its first packet.
		slackSeconds: isVideo ? 0.15 : 0.05,
		notes: isFirstOnly ? [ANOTHER] : [],
	};
}

await using service = await startService(...QUICK);
await testCases(cases, service.ann);
