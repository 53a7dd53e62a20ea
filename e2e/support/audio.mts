import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findFfmpeg } from '../../service/media/ffmpeg/ffmpeg.mts';
import { mediaTypeOf } from '../../service/shared/mediaTypes.mts';
import { decodedSeconds, loudnessLufs } from '../../test/service/support/media.mts';
import { startOutsideServer } from '../../test/service/support/servers.mts';
import { TALK, TALK_REMOVED_SECONDS, talk } from '../../test/service/support/recordings.mts';
import { lengthSeconds } from '../../test/support/recording.ts';
import { ROOT } from './places.mts';
import type { Sandbox } from './sandbox.mts';

/** A minute of noisy speech. */
export const SPEECH = await readFile(join(ROOT, 'demo', 'recording.mp3'));

/** Twelve seconds of speech-like sound with two long silences. */
export { talk as TALK_WAV };

/** Returns the talk as Telegram stores a voice note: Opus in Ogg. */
export function talkAsVoiceNote(): Buffer {
	const coded = ['-i', '-', '-c:a', 'libopus', '-f', 'ogg', '-'];
	return execFileSync(findFfmpeg().ffmpegPath, ['-v', 'error', ...coded], { input: talk });
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
	const type = mediaTypeOf(name);
	const server = await startOutsideServer((_visit, response) => {
		response.writeHead(200, { 'Content-Type': type, 'Content-Length': content.length });
		response.end(content);
	});
	sandbox.onEnd(async () => {
		await server[Symbol.asyncDispose]();
	});
	return `${server.url}/${name}`;
}
