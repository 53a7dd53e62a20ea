import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

/** What the two speakers say in turn: fillers, a stutter, short and long pauses. */
const TURNS = [
	'Welcome back to the show. <break time="500ms"/> Today, um, we talk about rooms, and how they sound.',
	'Thank you for having me. <break time="1600ms"/> I brought two recordings with me from last week.',
	'The first, uh, was made in a kitchen. <break time="400ms"/> You hear the fridge all the time.',
	'Exactly. <break time="2400ms"/> And the the second one was made beside a window, in the rain.',
	'So what would you do, um, with a recording like that? <break time="1300ms"/> Throw it away?',
	'No. You take the noise out, and then you listen again. <break time="700ms"/> It is often enough.',
	'That is what most people do not believe before they have heard it. <break time="1900ms"/>',
	'And in the end nobody asks which microphone it was. <break time="900ms"/> They listen to the story.',
];

/** Level of one speaker in the other's microphone, and each one's noise: 15 dB below speech. */
const BLEED = 0.1;
const NOISE_AMPLITUDE = 0.1;

/** Creates a WAV file with one speaker, silent in the turns of the other. */
async function speaker(folder: string, voice: string, isOnTurn: (turn: number) => boolean) {
	const text = TURNS.map((turn, index) => {
		const volume = isOnTurn(index) ? 'medium' : 'silent';
		return `<prosody volume="${volume}">${turn}</prosody>`;
	}).join(' ');
	const [textPath, wavePath] = [join(folder, `${voice}.xml`), join(folder, `${voice}.wav`)];
	await writeFile(textPath, `<speak>${text}</speak>`);
	await execa('espeak-ng', ['-m', '-v', voice, '-s', '150', '-f', textPath, '-w', wavePath]);
	return wavePath;
}

/**
 * Creates a conversation of two synthetic voices as a stereo file at 48 kHz, one microphone per
 * channel, with bleed and non-repeating noise.
 *
 * @param path its extension determines the format: WAV, or MP3 at 128 kbit/s.
 * @param bleed the level of each voice in the other's channel; with 1, both are in the middle.
 */
export async function makeConversation(
	path: string,
	seconds: number,
	folder: string,
	bleed = BLEED,
): Promise<void> {
	const left = await speaker(folder, 'en-us', (turn) => turn % 2 === 0);
	const right = await speaker(folder, 'en-gb', (turn) => turn % 2 === 1);
	const noise = (seed: number) =>
		`anoisesrc=color=pink:amplitude=${NOISE_AMPLITUDE}:sample_rate=48000:seed=${seed}`;
	const graph = [
		'[0:a]aresample=48000[l];[1:a]aresample=48000[r]',
		`[l][r]join=inputs=2:channel_layout=stereo,pan=stereo|c0=c0+${bleed}*c1|c1=c1+${bleed}*c0[v]`,
		`${noise(1)}[n1];${noise(2)}[n2];[n1][n2]join=inputs=2:channel_layout=stereo[n]`,
		'[v][n]amix=inputs=2:duration=first:normalize=0',
	].join(';');
	const loops = ['-stream_loop', '-1'];
	await execa('ffmpeg', [
		'-nostdin',
		'-v',
		'error',
		'-y',
		...loops,
		'-i',
		left,
		...loops,
		'-i',
		right,
		'-filter_complex',
		graph,
		'-t',
		String(seconds),
		'-b:a',
		'128k',
		path,
	]);
}
