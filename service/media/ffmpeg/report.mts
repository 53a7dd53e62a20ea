import { z } from 'zod';

import { probeFile } from './runFfmpeg.mts';

const numberText = z.coerce.number().positive().finite().nullable().catch(null);
const textRecord = z.record(z.coerce.string()).catch({});

const streamSchema = z.object({
	index: z.number(),
	codec_type: z.string().catch(''),
	codec_name: z.string().catch('unknown'),
	sample_rate: numberText,
	channels: numberText,
	sample_fmt: z.string().catch(''),
	bits_per_raw_sample: numberText,
	bit_rate: numberText,
	duration: numberText,
	start_time: numberText,
	width: z.number().catch(0),
	height: z.number().catch(0),
	r_frame_rate: z.string().catch('0/0'),
	avg_frame_rate: z.string().catch('0/0'),
	disposition: z.object({ attached_pic: z.number().catch(0) }).catch({ attached_pic: 0 }),
	tags: textRecord,
});

const reportSchema = z.object({
	streams: z.array(streamSchema).catch([]),
	format: z.object({
		format_name: z.string().catch(''),
		duration: numberText,
		bit_rate: numberText,
		tags: textRecord,
	}),
});

/** The entries that the schema above reads, but for tags. */
const ENTRIES = [
	'stream=index,codec_type,codec_name,sample_rate,channels,sample_fmt,bits_per_raw_sample,bit_rate',
	'stream=duration,start_time,width,height,r_frame_rate,avg_frame_rate:stream_disposition=attached_pic',
	'format=format_name,duration,bit_rate',
];

/** The tags that say what a file is. */
export const FORMAT_TAGS: readonly string[] = ['format_tags=major_brand'];

/**
 * Returns ffprobe's report on the streams of a media file, with the entries of the given tags.
 *
 * @param inputOptions how ffprobe reads the file.
 */
export async function readReport(
	path: string,
	signal?: AbortSignal,
	tagEntries = FORMAT_TAGS,
	inputOptions: readonly string[] = [],
): Promise<MediaReport> {
	const entries = [...ENTRIES, ...tagEntries].join(':');
	return reportSchema.parse(await probeFile(path, entries, signal, inputOptions));
}

/** What ffprobe says of a file, and of one of its streams. */
export type MediaReport = z.infer<typeof reportSchema>;
export type MediaStream = MediaReport['streams'][number];

/** Whether a stream is a moving picture; cover art is none. */
export function isPictureStream({ codec_type, disposition }: MediaStream): boolean {
	return codec_type === 'video' && disposition.attached_pic === 0;
}
