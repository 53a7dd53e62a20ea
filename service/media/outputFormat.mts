import type { EditConfig } from '../shared/contract.mts';
import type { MediaInfo } from './probe.mts';

/** Output formats. */
export type OutputFormat = 'mp3' | 'wav' | 'flac' | 'm4a' | 'opus' | 'aac' | 'ogg' | 'aiff';

/** How one format is written. The file extension is the format's name. */
interface Recipe {
	/** ffmpeg's name for the container; undefined: that of the format. */
	muxer?: string;
	codecArguments: (info: MediaInfo) => string[];
	/** Sample rates the encoder accepts; undefined: all. */
	sampleRatesHz?: readonly number[];
	maxChannels?: number;
	/** The factor by which the encoder itself scales the samples; undefined: 1. */
	ownGain?: (info: MediaInfo) => number;
}

const MPEG_RATES_HZ = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const AAC_RATES_HZ = [...MPEG_RATES_HZ, 64_000, 88_200, 96_000];

/** Higher rates are inaudible, and MP3 ends here. */
const MAX_BIT_RATE = 320_000;

/** Without the bit reservoir, frames are independent, so that parts can be joined. */
const LAME = ['-c:a', 'libmp3lame', '-reservoir', '0'];

/**
 * Skips LAME's search for finer noise shaping, which halves the time; at our constant bit rates it
 * lowered the noise in each band of speech.
 */
const NO_SEARCH = ['-compression_level', '7'];

const RECIPES: Readonly<Record<OutputFormat, Recipe>> = {
	mp3: {
		codecArguments: (info) => [...LAME, ...lameRate(info)],
		sampleRatesHz: MPEG_RATES_HZ,
		maxChannels: 2,
		ownGain: (info) =>
			info.vbrLevel === undefined ? lameGain(Number(bitRate(info, 'mp3', 96_000))) : 1,
	},
	// Beyond 4 GB, a WAV needs the RF64 header.
	wav: { codecArguments: (info) => ['-c:a', `pcm_s${bits(info)}le`, '-rf64', 'auto'] },
	flac: {
		codecArguments: (info) => ['-c:a', 'flac', '-sample_fmt', bits(info) === 24 ? 's32' : 's16'],
	},
	m4a: {
		muxer: 'ipod',
		codecArguments: (info) => [...aacArguments(info), '-movflags', '+faststart'],
		sampleRatesHz: AAC_RATES_HZ,
	},
	aac: { muxer: 'adts', codecArguments: aacArguments, sampleRatesHz: AAC_RATES_HZ },
	opus: {
		codecArguments: (info) => ['-c:a', 'libopus', '-b:a', bitRate(info, 'opus', 64_000)],
		sampleRatesHz: [48_000],
	},
	ogg: { codecArguments: (info) => ['-c:a', 'libvorbis', '-q:a', String(vorbisQuality(info))] },
	aiff: { codecArguments: (info) => ['-c:a', `pcm_s${bits(info)}be`] },
};

type FormatTable = Readonly<Partial<Record<string, OutputFormat>>>;
const SAME: FormatTable = { mp3: 'mp3', flac: 'flac' };
const BY_CONTAINER: FormatTable = { ...SAME, wav: 'wav', w64: 'wav', aiff: 'aiff', aac: 'aac' };
const BY_CODEC: FormatTable = { ...SAME, alac: 'flac', vorbis: 'ogg', opus: 'opus', aac: 'm4a' };

/**
 * Returns the format to write a file in. `auto` keeps the input's. Containers that hold several
 * codecs (Ogg, MP4, all video) are mapped by their audio codec: Vorbis → ogg, Opus → opus, AAC →
 * m4a, MP3 → mp3, FLAC and ALAC → flac, PCM → wav, anything else → m4a.
 */
export function outputFormatFor(
	wish: Required<EditConfig>['export_format'],
	{ container, codec }: MediaInfo,
): OutputFormat {
	if (wish !== 'auto') return wish;
	const known = BY_CONTAINER[container] ?? BY_CODEC[codec];
	return known ?? (codec.startsWith('pcm_') ? 'wav' : 'm4a');
}

/** True for lossy formats: their decoded peaks are slightly higher than the encoded ones. */
export function isLossy(format: OutputFormat): boolean {
	return !['wav', 'flac', 'aiff'].includes(format);
}

/** ffmpeg's output options for a format, without the sample rate. */
export function encoderArguments(format: OutputFormat, info: MediaInfo): string[] {
	const { muxer = format, codecArguments } = RECIPES[format];
	const written = asWritten(format, info);
	return [...codecArguments(written), '-ac', String(written.channels), '-f', muxer];
}

/** The factor that makes up for the encoder's own gain, so that the file keeps its loudness. */
export function encoderGain(format: OutputFormat, info: MediaInfo): number {
	return 1 / (RECIPES[format].ownGain?.(asWritten(format, info)) ?? 1);
}

function asWritten(format: OutputFormat, info: MediaInfo): MediaInfo {
	const { maxChannels = info.channels } = RECIPES[format];
	return { ...info, channels: Math.min(info.channels, maxChannels) };
}

/** The best level of a variable bit rate, and the worst that is written: who encodes again loses once more. */
const BEST_LEVEL = 0;
const WORST_LEVEL = 4;

/**
 * A source with a variable bit rate gets one again, at its own level, or the best if it does not say. At these
 * levels, speech then loses no more than it had lost; the search for finer noise shaping gives 5 dB of that.
 */
function lameRate(info: MediaInfo): string[] {
	const { vbrLevel } = info;
	if (vbrLevel === undefined) return [...NO_SEARCH, '-b:a', bitRate(info, 'mp3', 96_000)];
	return ['-q:a', String(Math.min(vbrLevel ?? BEST_LEVEL, WORST_LEVEL))];
}

/** Bit rates of Vorbis by its quality from 5 on, kbit/s for each of two channels. */
const VORBIS_KBITS = [80, 96, 112, 128, 160, 250];
const MIN_VORBIS_QUALITY = 5;

/** The quality with at least the bit rate of a source that is Vorbis. */
function vorbisQuality({ codec, bitRate: had, channels }: MediaInfo): number {
	const kbits = codec === 'vorbis' ? (had ?? 0) / 1_000 / channels : 0;
	const enough = VORBIS_KBITS.findIndex((most) => kbits <= most);
	return MIN_VORBIS_QUALITY + (enough < 0 ? VORBIS_KBITS.length - 1 : enough);
}

/** LAME attenuates constant bit rates: measured 0.45 dB up to 160 kbit/s. */
function lameGain(bitsPerSecond: number): number {
	if (bitsPerSecond < 176_000) return 0.95;
	if (bitsPerSecond < 224_000) return 0.97;
	return bitsPerSecond < 256_000 ? 0.98 : 1;
}

/** The source's sample rate, or the next higher one that the format supports. */
export function outputSampleRateHz(format: OutputFormat, sourceRateHz: number): number {
	const { sampleRatesHz } = RECIPES[format];
	if (!sampleRatesHz) return sourceRateHz;
	return sampleRatesHz.find((rateHz) => rateHz >= sourceRateHz) ?? sampleRatesHz.at(-1) ?? 48_000;
}

function aacArguments(info: MediaInfo): string[] {
	// The slow coder takes 2.6 times as long, with no audible gain on speech.
	return ['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', bitRate(info, 'aac', 96_000)];
}

/**
 * Bits per second: `oneChannel` for one channel, two thirds more for each further one, and at least
 * the rate of a source in the same codec.
 */
function bitRate(info: MediaInfo, codec: string, oneChannel: number): string {
	const needed = Math.round((oneChannel * (1 + ((info.channels - 1) * 2) / 3)) / 1_000) * 1_000;
	const had = info.codec === codec ? (info.bitRate ?? 0) : 0;
	return String(Math.max(needed, Math.min(had, MAX_BIT_RATE)));
}

/** Bit depth of a lossless sample: 24 if the source has more than 16. */
function bits({ bitsPerSample }: MediaInfo): 16 | 24 {
	return (bitsPerSample ?? 16) > 16 ? 24 : 16;
}
