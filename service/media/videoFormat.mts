import {
	encoderArguments,
	encoderGain,
	outputSampleRateHz,
	type OutputFormat,
} from './outputFormat.mts';
import type { VideoContainer } from './picture.mts';
import type { MediaInfo } from './probe.mts';

/** How one container is written. */
interface Recipe {
	/** ffmpeg's options for the container. */
	muxerArguments: readonly string[];
	/** ffmpeg's options for a picture that has to be encoded again. */
	pictureArguments: readonly string[];
	/** The sound for a source whose own codec is not in `soundOfCodec`. */
	usualSound: VideoSound;
	/** The sound that keeps the source's codec, by ffmpeg's name of it. */
	soundOfCodec: Readonly<Partial<Record<string, VideoSound>>>;
}

/** Sound as a container holds it; `pcm` stands for plain samples, 16 or 24 bits as in the source. */
type VideoSound = OutputFormat | 'pcm';

// Hardly visible losses, and two cores keep up with several times real time at 720p.
const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p'];

// The quality modes of VP9 take ten times as long.
const VP9 = [
	...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '6', '-row-mt', '1'],
	...['-crf', '30', '-b:v', '0', '-pix_fmt', 'yuv420p'],
];

// H.264 with B-frames does not go into AVI well; this is what its players expect.
const MPEG4 = ['-c:v', 'mpeg4', '-q:v', '3', '-pix_fmt', 'yuv420p'];

const RECIPES: Readonly<Record<VideoContainer, Recipe>> = {
	mp4: {
		muxerArguments: ['-movflags', '+faststart', '-f', 'mp4'],
		pictureArguments: H264,
		usualSound: 'aac',
		soundOfCodec: { mp3: 'mp3' },
	},
	mov: {
		muxerArguments: ['-movflags', '+faststart', '-f', 'mov'],
		pictureArguments: H264,
		usualSound: 'aac',
		soundOfCodec: {},
	},
	webm: {
		muxerArguments: ['-f', 'webm'],
		pictureArguments: VP9,
		usualSound: 'opus',
		soundOfCodec: { vorbis: 'ogg' },
	},
	avi: {
		muxerArguments: ['-f', 'avi'],
		pictureArguments: MPEG4,
		usualSound: 'mp3',
		soundOfCodec: {},
	},
	mkv: {
		muxerArguments: ['-f', 'matroska'],
		pictureArguments: H264,
		usualSound: 'aac',
		soundOfCodec: { mp3: 'mp3', opus: 'opus', vorbis: 'ogg', flac: 'flac' },
	},
};

/** ffmpeg's options for the container itself. */
export function muxerArguments(container: VideoContainer): readonly string[] {
	return RECIPES[container].muxerArguments;
}

/** ffmpeg's options for a picture that is encoded again. */
export function pictureArguments(container: VideoContainer): readonly string[] {
	return RECIPES[container].pictureArguments;
}

/** What is said to ffmpeg about the sound of a video. */
export interface SoundRecipe {
	/** Codec and channels. */
	codecArguments: string[];
	/** What the samples are multiplied by, for an encoder that changes the level. */
	gain: number;
	sampleRateHz: number;
	isLossy: boolean;
}

/** How the sound of a video is written: in the source's codec where the container usually has it. */
export function soundRecipe(container: VideoContainer, info: MediaInfo): SoundRecipe {
	const { soundOfCodec, usualSound } = RECIPES[container];
	const takesPcm = container !== 'webm' && container !== 'mp4';
	const isPcm = info.codec.startsWith('pcm_') && takesPcm;
	const sound = isPcm ? 'pcm' : (soundOfCodec[info.codec] ?? usualSound);
	if (sound === 'pcm') {
		const codec = (info.bitsPerSample ?? 16) > 16 ? 'pcm_s24le' : 'pcm_s16le';
		return {
			codecArguments: ['-c:a', codec],
			gain: 1,
			sampleRateHz: info.sampleRateHz,
			isLossy: false,
		};
	}
	return {
		codecArguments: encoderArguments(sound, info),
		gain: encoderGain(sound, info),
		sampleRateHz: outputSampleRateHz(sound, info.sampleRateHz),
		isLossy: sound !== 'flac',
	};
}
