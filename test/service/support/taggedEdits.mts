import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import NodeID3 from 'node-id3';

import { taggedSource } from '../../../bench/eval/metadata/taggedSources.mts';
import { editRecording } from '../../../service/engine/editRecording.mts';
import { readMetadata } from '../../../service/media/tags/metadata.mts';
import { resolveEditConfig, type EditConfig } from '../../../service/shared/contract.mts';
import { convertedTo } from './media.mts';
import { shortRecording } from './recordings.mts';

/** Edits files; returns the path of the result and the notes. */
export async function editIn(folder: string, paths: readonly string[], config: EditConfig) {
	const [workFolder, resultFolder] = await Promise.all(
		['work', 'result'].map((name) => mkdtemp(join(folder, name))),
	);
	const request = {
		sources: paths.map((path, index) => ({ path, name: `track${index + 1}.mp3` })),
		config: resolveEditConfig({ remove_noise: false, ...config }),
		...{ longestSourceSeconds: 3_600, workFolder, resultFolder },
	};
	const { fileName, notes } = await editRecording(request, () => undefined);
	return { path: join(resultFolder, fileName), notes };
}

const plainMp3 = await convertedTo(shortRecording, 'mp3', '-id3v2_version', '0');
let names = 0;

/** Writes an MP3 with an ID3 tag. */
export async function mp3In(folder: string, tags: NodeID3.Tags, sound = plainMp3): Promise<string> {
	const path = join(folder, `source${++names}.mp3`);
	await writeFile(path, Buffer.concat([NodeID3.create(tags), sound]));
	return path;
}

/** The metadata that the service would read from a file. */
export async function metadataOf(folder: string, path: string) {
	return (await readMetadata(path, await mkdtemp(join(folder, 'read')))).metadata;
}

/** Returns a cover of a tagged source. */
export async function jpegCover(folder: string): Promise<Buffer> {
	const source = await taggedSource('talk.mp3', await mkdtemp(join(folder, 'cover')));
	return await readFile(join(source, '../cover.jpg'));
}

/** Returns the tag of a picture. */
export const cover = (imageBuffer: Buffer, mime = 'image/jpeg') => ({
	image: { mime, type: { id: 3 }, description: '', imageBuffer },
});
