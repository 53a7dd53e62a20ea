import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { resolveEditConfig, type EditConfig } from '../../shared/contract.mts';
import { editRecording } from '../../engine/editRecording.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { probeFile } from '../../media/ffmpeg/runFfmpeg.mts';
import type { Bar } from '../../../testkit/measure/bars.mts';
import { CHAPTERS, TAGS, taggedSource } from './taggedSources.mts';

/** One format of the output: its source, and the fields that it has no place for. */
interface Trial {
	source: string;
	config?: EditConfig;
	lacks?: readonly string[];
}

const from = (
	export_format: EditConfig['export_format'],
	lacks: readonly string[] = [],
): Trial => ({
	source: 'talk.mp3',
	config: { export_format },
	lacks,
});
const video = (source: string, lacks: readonly string[] = []): Trial => ({
	source,
	config: { video: true },
	lacks,
});

/** The fields of MP4 are those that iTunes knows. */
const NOT_IN_MP4 = ['publisher', 'mood'];

/** The fields of AVI are those of RIFF INFO. */
const NOT_IN_AVI = ['album_artist', 'disc', 'composer', 'publisher', 'mood', 'cover', 'chapters'];

/** All formats that the service writes. */
export const TRIALS: Readonly<Record<string, Trial>> = {
	mp3: from('mp3'),
	wav: from('wav'),
	flac: from('flac'),
	m4a: from('m4a', NOT_IN_MP4),
	opus: from('opus'),
	aac: from('aac'),
	ogg: { source: 'talk.ogg' },
	aiff: { source: 'talk.aiff' },
	mp4: video('talk.mp4', NOT_IN_MP4),
	mov: video('talk.mov', ['cover']),
	webm: video('talk.webm', ['cover']),
	avi: video('talk.avi', NOT_IN_AVI),
	mkv: video('talk.mkv'),
};

/** As ffprobe calls the parts of its report. */
const SHOWN =
	'format_tags:stream=codec_type,width:stream_disposition:stream_tags:chapter:chapter_tags';

const tagsSchema = z.record(z.string()).catch({});

const reportSchema = z.object({
	streams: z.array(
		z.object({
			codec_type: z.string(),
			width: z.number().optional(),
			disposition: z.object({ attached_pic: z.number() }),
			tags: tagsSchema,
		}),
	),
	format: z.object({ tags: tagsSchema }),
	chapters: z.array(z.object({ start_time: z.coerce.number(), tags: tagsSchema })),
});

/** Prints the fields that are lost; returns the bar. */
export async function metadataBar(folder: string): Promise<Bar> {
	const { kept, possible, lost } = await keptMetadata(folder);
	for (const field of lost) console.log(`lost: ${field}`);
	console.log(`tags, cover, chapters kept: ${kept} of ${possible}`);
	const name = 'tags, cover, chapters kept';
	return { name, figure: kept / possible, limit: 1, goal: '>=', decimals: 4 };
}

/** How many fields of how many survive an edit with cuts, over all formats; the names of the rest. */
async function keptMetadata(folder: string) {
	const lost: string[] = [];
	let possible = 0;
	for (const [format, { lacks = [], ...trial }] of Object.entries(TRIALS)) {
		const kept = await fieldsOf(await editTagged(trial, folder));
		const wanted = [...Object.keys(TAGS), 'cover', 'chapters'].filter((it) => !lacks.includes(it));
		possible += wanted.length;
		lost.push(...wanted.filter((name) => !kept.has(name)).map((name) => `${format} ${name}`));
	}
	return { kept: possible - lost.length, possible, lost };
}

/** Cuts the pauses of a source with all metadata; returns the path of the result and the cuts. */
export async function editTagged({ source, config = {} }: Omit<Trial, 'lacks'>, folder: string) {
	const [sourceFolder, workFolder, resultFolder] = await Promise.all(
		['source', 'work', 'result'].map((name) => mkdtemp(join(folder, name))),
	);
	const path = await taggedSource(source, sourceFolder);
	const request = {
		sources: [{ path, name: source }],
		config: resolveEditConfig({ ...config, long_silences: true, remove_noise: false }),
		maxSourceSeconds: 3_600,
		workFolder,
		resultFolder,
	};
	const { fileName, edits } = await editRecording(request, () => undefined);
	return { path: join(resultFolder, fileName), edits };
}

/** Where chapters begin after cuts, without the one that was cut as a whole. */
export function chaptersAfter(edits: readonly TimeRange[]) {
	return CHAPTERS.filter(({ title }) => title !== 'Pause').map(({ startSeconds, title }) => {
		const cutBefore = edits.map((cut) =>
			Math.max(0, Math.min(startSeconds, cut.endSeconds) - cut.startSeconds),
		);
		const total = cutBefore.reduce((sum, seconds) => sum + seconds, 0);
		return { startSeconds: startSeconds - total, title };
	});
}

/** The fields that ffprobe finds unchanged, or moved with the cuts. */
async function fieldsOf({ path, edits }: { path: string; edits: readonly TimeRange[] }) {
	const { streams, format, chapters } = reportSchema.parse(await probeFile(path, SHOWN));
	const sound = streams.find(({ codec_type }) => codec_type === 'audio');
	const found = new Map(
		Object.entries({ ...sound?.tags, ...format.tags }).map(([name, value]) => [
			// What ffmpeg calls the album of an AVI.
			name.toLowerCase().replace(/^product$/, 'album'),
			value,
		]),
	);
	const kept = new Set(Object.keys(TAGS).filter((name) => found.get(name) === TAGS[name]));
	const cover = streams.find(({ disposition }) => disposition.attached_pic === 1);
	if (cover?.width === 300) kept.add('cover');
	const expected = chaptersAfter(edits);
	const areMoved = expected.every(({ startSeconds, title }, index) => {
		const chapter = chapters.at(index);
		const error = Math.abs((chapter?.start_time ?? Infinity) - startSeconds);
		return error < 0.02 && chapter?.tags.title === title;
	});
	if (areMoved && chapters.length === expected.length) kept.add('chapters');
	return kept;
}
