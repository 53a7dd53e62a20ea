import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { EditResult } from '../../api/contract/editResult.ts';
import { timedChaptersOf } from '../../formats/notes/chapters.ts';
import { type EpisodeTags, pictureOf } from '../../formats/tags/episodeTags.ts';
import { onOneLine } from '../../formats/values.ts';
import { encodedSound, ffmpeg } from '../../test/support/mediaFiles.ts';
import { tagged } from '../../test/support/retagged.ts';
import type { Episode } from './episodes.mts';

export type SoundFormat = 'mp3' | 'm4a';

const ENCODERS: Readonly<Record<SoundFormat, readonly string[]>> = {
	mp3: ['-b:a', '8k', '-ar', '8000', '-ac', '1'],
	m4a: ['-c:a', 'aac', '-b:a', '8k', '-ar', '8000', '-ac', '1'],
};

const LOOP_SECONDS = 10;

const cover = ffmpeg([
	...['-f', 'lavfi', '-i', 'color=red:s=64x64', '-frames:v', '1'],
	...['-f', 'image2pipe', '-c:v', 'png', '-'],
]);

/** What the tags of an episode say. */
export function tagsOf({ title, description, details }: Episode): EpisodeTags {
	return {
		title: onOneLine(title) || undefined,
		author: 'مريم & <Jones>',
		show: onOneLine(`Show ${title}`),
		description: description.trim() || undefined,
		episodeNumber: details.episodeNumber,
		season: details.seasonNumber,
		date: new Date(details.publishedAtMs).toISOString().slice(0, 10),
		language: 'eng',
		cover: pictureOf(cover),
	};
}

/** A sound as long as an episode with its tags and chapters, written as the nodes write them. */
export function taggedFile(
	episode: Episode,
	result: EditResult | undefined,
	format: SoundFormat,
): Buffer {
	const sound = soundOf(format, Math.ceil((episode.words.at(-1)?.end ?? 0) / 60) * 60 + 60);
	const chapters = timedChaptersOf(result);
	return tagged(sound, { tags: tagsOf(episode), chapters });
}

const sounds = new Map<string, Buffer>();

/** A sound that repeats a short one, which is copied: six hours take no time to encode. */
function soundOf(format: SoundFormat, seconds: number): Buffer {
	const name = `${seconds}.${format}`;
	const made = sounds.get(name) ?? looped(format, seconds);
	sounds.set(name, made);
	return made;
}

function looped(format: SoundFormat, seconds: number): Buffer {
	const folder = mkdtempSync(join(tmpdir(), 'audio-editing-formats-'));
	const [short, long] = ['short', 'long'].map((name) => join(folder, `${name}.${format}`));
	const again = ['-stream_loop', String(seconds / LOOP_SECONDS - 1)];
	try {
		writeFileSync(short, encodedSound(LOOP_SECONDS, ENCODERS[format], format));
		ffmpeg([...again, '-i', short, '-c', 'copy', '-movflags', '+faststart', long]);
		return readFileSync(long);
	} finally {
		rmSync(folder, { recursive: true });
	}
}
