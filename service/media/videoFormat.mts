import {
	encoderArguments,
	encoderGain,
	outputSampleRateHz,
	type OutputFormat,
} from './outputFormat.mts';
import type { VideoContainer } from './picture.mts';
import type { MediaInfo } from './probe.mts';

/** How one container is written. */
interface VideoRecipe {
	/** ffmpeg's options for the container. */
	muxer: readonly string[];
	/** ffmpeg's options for re-encoding the picture. */
	picture: readonly string[];
	/** The subtitles that it holds, by ffmpeg's names for their codecs. */
	subtitles: readonly string[];
	/** The audio format for a source whose codec is not in `sounds`. */
	usualSound: VideoSound;
	/** The audio format that keeps the source's codec, by ffmpeg's name for it. */
	sounds?: Readonly<Partial<Record<string, VideoSound>>>;
}

/** Audio formats in a container; `pcm` is uncompressed, with 16 or 24 bits like the source. */
type VideoSound = OutputFormat | 'pcm';

// Barely visible loss; two cores encode 720p at several times real time.
const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p'];

// VP9's quality modes take ten times as long.
const VP9 = [
	'-c:v',
	'libvpx-vp9',
	'-deadline',
	'realtime',
	'-cpu-used',
	'6',
	'-row-mt',
	'1',
	'-crf',
	'30',
	'-b:v',
	'0',
	'-pix_fmt',
	'yuv420p',
];

// AVI handles H.264 with B-frames badly; its players expect MPEG-4.
const MPEG4 = ['-c:v', 'mpeg4', '-q:v', '3', '-pix_fmt', 'yuv420p'];

const FAST_START = ['-movflags', '+faststart', '-f'];
const MP4 = { picture: H264, usualSound: 'aac', sounds: { mp3: 'mp3' } } as const;

/** MP3 begins 25 ms before 0. For that, ffmpeg would move the pictures of an AVI by a whole one: 5 s of slides. */
const AT_ONCE = ['-avoid_negative_ts', 'disabled'];

/** MP3's encoder and decoder put this much before the sound, and an AVI does not say so. */
const LAME_DELAY_FRAMES = 1_105;

/** How each container is written. */
export const VIDEO_RECIPES: Readonly<Record<VideoContainer, VideoRecipe>> = {
	mp4: { ...MP4, muxer: [...FAST_START, 'mp4'], subtitles: ['mov_text', 'dvd_subtitle'] },
	mov: {
		muxer: [...FAST_START, 'mov'],
		picture: H264,
		subtitles: ['mov_text', 'eia_608'],
		usualSound: 'aac',
	},
	webm: {
		muxer: ['-f', 'webm'],
		picture: VP9,
		subtitles: ['webvtt'],
		usualSound: 'opus',
		sounds: { vorbis: 'ogg' },
	},
	avi: { muxer: [...AT_ONCE, '-f', 'avi'], picture: MPEG4, subtitles: [], usualSound: 'mp3' },
	mkv: {
		muxer: ['-f', 'matroska'],
		picture: H264,
		subtitles: [
			'subrip',
			'text',
			'ass',
			'ssa',
			'webvtt',
			'dvd_subtitle',
			'dvb_subtitle',
			'hdmv_pgs_subtitle',
		],
		usualSound: 'aac',
		sounds: { mp3: 'mp3', opus: 'opus', vorbis: 'ogg', flac: 'flac' },
	},
};

/**
 * Returns how to encode the audio of a video: in the source's codec if the container usually holds it, and
 * with the factor that makes up for the encoder's own gain, and how many frames later the container has it.
 */
export function soundRecipe(container: VideoContainer, track: MediaInfo) {
	// An AVI is read by frames of equal size.
	const info = { ...track };
	delete info.vbrLevel;
	const { sounds = {}, usualSound } = VIDEO_RECIPES[container];
	const takesPcm = container !== 'webm' && container !== 'mp4';
	const isPcm = info.codec.startsWith('pcm_') && takesPcm;
	const sound = isPcm ? 'pcm' : (sounds[info.codec] ?? usualSound);
	if (sound === 'pcm') {
		const codecArguments = ['-c:a', (info.bitsPerSample ?? 16) > 16 ? 'pcm_s24le' : 'pcm_s16le'];
		const { sampleRateHz } = info;
		return { lateFrames: 0, codecArguments, gain: 1, sampleRateHz, isLossy: false };
	}
	return {
		lateFrames: container === 'avi' && sound === 'mp3' ? LAME_DELAY_FRAMES : 0,
		codecArguments: encoderArguments(sound, info),
		gain: encoderGain(sound, info),
		sampleRateHz: outputSampleRateHz(sound, info.sampleRateHz),
		isLossy: sound !== 'flac',
	};
}
