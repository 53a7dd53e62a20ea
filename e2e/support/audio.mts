import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { mediaTypeOf } from '../../service/shared/mediaTypes.mts';
import { convertedTo, decodedSeconds, loudnessLufs } from '../../testkit/service/media.mts';
import { TALK, TALK_REMOVED_SECONDS, talk } from '../../testkit/service/recordings.mts';
import { lengthSeconds } from '../../testkit/media/recording.ts';
import { ROOT } from './places.mts';
import type { Sandbox } from './sandbox.mts';
import { startStandIn } from './standIn.mts';

/** A minute of noisy speech. */
export const SPEECH = await readFile(join(ROOT, 'demo', 'recording.mp3'));

/** Twelve seconds of speech-like sound with two long silences. */
export { talk as TALK_WAV };

/** Returns the talk as Telegram stores a voice note: Opus in Ogg. */
export async function talkAsVoiceNote(): Promise<Buffer> {
	return await convertedTo(talk, 'ogg', '-c:a', 'libopus');
}

const TOLERANCE_SECONDS = 0.3;

const TOLERANCE_LU = 1;

/** Default loudness of the service, LUFS. */
const TARGET_LUFS = -16;

/** Checks that a file is the edited talk: without its long silences, or with them. */
export async function assertEditedTalk(
	content: Buffer,
	{ isShorter = true }: { isShorter?: boolean } = {},
): Promise<void> {
	const expected = lengthSeconds(TALK) - (isShorter ? TALK_REMOVED_SECONDS : 0);
	const seconds = await decodedSeconds(content);
	assert.ok(
		Math.abs(seconds - expected) <= TOLERANCE_SECONDS,
		`${seconds} s long instead of ${expected} s`,
	);
	const lufs = await loudnessLufs(content);
	assert.ok(Math.abs(lufs - TARGET_LUFS) <= TOLERANCE_LU, `${lufs} LUFS`);
}

/** Serves a recording as any web server would. @returns its URL */
export async function publishRecording(
	sandbox: Sandbox,
	content: Buffer = talk,
	name = 'episode-12.wav',
): Promise<string> {
	const headers = { 'Content-Type': mediaTypeOf(name) };
	return `${await startStandIn(sandbox, () => ({ headers, body: content }))}/${name}`;
}
