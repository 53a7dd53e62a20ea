import type { SIZE_FIELDS } from '../support/realFiles/sizes.mts';

/** A container with a codec of sound, and one of the picture for a video. */
export interface CorpusFormat {
	readonly extension: string;
	/** How ffmpeg makes it. */
	readonly args: readonly string[];
	readonly isVideo: boolean;
	/** Where it says how much sound there is. */
	readonly sizeField?: keyof typeof SIZE_FIELDS;
	/** Whether each packet has a time, and a stretch may be missing. */
	readonly hasTimes: boolean;
	/** Whether it may hold several sound tracks. */
	readonly hasTracks: boolean;
}

type Properties = Partial<Pick<CorpusFormat, 'sizeField' | 'hasTimes' | 'hasTracks'>>;

function sound(extension: string, codecs: readonly string[], has: Properties = {}): CorpusFormat[] {
	return codecs.map((codec) => ({
		extension,
		args: ['-c:a', ...codec.split(' ')],
		isVideo: false,
		hasTimes: false,
		hasTracks: false,
		...has,
	}));
}

function video(
	extension: string,
	codecs: ReadonlyArray<readonly [picture: string, sound: string]>,
	has: Properties = {},
): CorpusFormat[] {
	return codecs.map(([picture, codec]) => ({
		extension,
		args: ['-c:v', ...picture.split(' '), '-c:a', ...codec.split(' ')],
		isVideo: true,
		hasTimes: true,
		hasTracks: true,
		...has,
	}));
}

const TIMED = { hasTimes: true, hasTracks: true } as const;
const X264 = 'libx264 -preset ultrafast -pix_fmt yuv420p';
const X265 = 'libx265 -preset ultrafast -pix_fmt yuv420p -x265-params log-level=none';
const VP8 = 'libvpx -deadline realtime -cpu-used 8 -b:v 100k';
const VP9 = 'libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 100k';

const WAVE_CODECS =
	'pcm_u8 pcm_s16le pcm_s24le pcm_s32le pcm_f32le pcm_f64le pcm_mulaw pcm_alaw adpcm_ima_wav adpcm_ms'.split(
		' ',
	);

/** Every container and codec that the API takes, as far as ffmpeg writes it. */
export const FORMATS: readonly CorpusFormat[] = [
	...sound('wav', WAVE_CODECS, { sizeField: 'wav' }),
	...sound('wav', ['pcm_s16le -rf64 always', 'pcm_s24le -rf64 always'], { sizeField: 'rf64' }),
	...sound('w64', ['pcm_s16le', 'pcm_s24le'], { sizeField: 'w64' }),
	...sound('mp3', ['libmp3lame -b:a 96k', 'libmp3lame -q:a 4', 'libmp3lame -write_xing 0']),
	...sound('ogg', ['libvorbis', 'libopus', 'flac'], TIMED),
	...sound('flac', ['flac', 'flac -sample_fmt s32']),
	...sound('m4a', ['aac', 'alac'], { ...TIMED, sizeField: 'mp4' }),
	...sound('m4a', ['aac -movflags +faststart'], TIMED),
	...sound('aiff', ['pcm_s16be', 'pcm_s24be', 'pcm_s16le', 'pcm_f32be', 'pcm_alaw'], {
		sizeField: 'aiff',
	}),
	...sound('caf', ['pcm_s16be', 'pcm_s24le'], { sizeField: 'caf' }),
	...sound('au', ['pcm_s16be'], { sizeField: 'au' }),
	...sound('aac', ['aac']),
	...video(
		'mp4',
		[
			[X264, 'aac'],
			[X265, 'aac'],
			['mpeg4', 'libmp3lame'],
			[X264, 'ac3'],
		],
		{
			sizeField: 'mp4',
		},
	),
	...video(
		'mov',
		[
			[X264, 'aac'],
			['qtrle', 'alac'],
		],
		{ sizeField: 'mp4' },
	),
	...video(
		'mov',
		[
			['mjpeg', 'pcm_s16le'],
			['prores', 'pcm_s24le'],
		],
		// In MOV, each sample of PCM lasts a sample: a hole is gone when the file is written.
		{ sizeField: 'mp4', hasTimes: false },
	),
	...video('webm', [
		[VP8, 'libvorbis'],
		[VP9, 'libopus'],
	]),
	...video(
		'avi',
		[
			['mpeg4', 'libmp3lame'],
			['mjpeg', 'pcm_s16le'],
			[X264, 'ac3'],
		],
		{
			hasTimes: false,
		},
	),
	...video('ts', [
		[X264, 'aac'],
		['mpeg2video', 'mp2'],
		[X264, 'ac3'],
	]),
	...video('mkv', [
		[X264, 'aac'],
		[VP9, 'libopus'],
		[X264, 'flac'],
		['mpeg2video', 'ac3'],
		[X264, 'pcm_s16le'],
	]),
];

/** What may be special about a file. */
export const VARIANTS = [
	'plain',
	'size too small',
	'size too large',
	'hole',
	'silent first track',
	'inverted',
	'DC 0.1',
	'slow pictures',
] as const;

export type Variant = (typeof VARIANTS)[number];

/** Whether a format can be so. */
export function exists(format: CorpusFormat, variant: Variant): boolean {
	switch (variant) {
		case 'size too small':
		case 'size too large':
			return format.sizeField !== undefined;
		case 'hole':
			return format.hasTimes;
		case 'silent first track':
			return format.hasTracks;
		case 'slow pictures':
			return format.isVideo;
		default:
			return true;
	}
}
