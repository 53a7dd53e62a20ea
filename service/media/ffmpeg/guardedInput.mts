/**
 * The containers the service reads. It refuses all others: a playlist or script disguised as a
 * recording would make ffmpeg open other files or addresses.
 */
const CONTAINERS = [
	'wav,w64,mp3,ogg,flac,aiff,aac,caf,au,amr,ac3',
	'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,asf,mpegts,mpeg,flv',
].join(',');

/** 4096 × 4096. Probing an image of 8000 × 8000, 400 KB on disk, takes 300 MB. */
export const MAX_PIXELS = 16_777_216;

/** Bytes; no decoder needs more in one allocation. A damaged header may request gigabytes. */
const MAX_ALLOCATION_BYTES = 268_435_456;

/** Options for ffmpeg and ffprobe before a file that the service did not create. */
export const GUARDS = [
	'-protocol_whitelist',
	'file,pipe',
	'-format_whitelist',
	CONTAINERS,
	'-max_pixels',
	String(MAX_PIXELS),
	'-max_alloc',
	String(MAX_ALLOCATION_BYTES),
];

/** A path that ffmpeg never parses as an option or protocol. */
export function fileArgument(path: string): string {
	return `file:${path}`;
}

/**
 * Microseconds of pictures that ffmpeg looks at first. With its five seconds, it does not see that slides are stored in
 * another order than shown, and moves them. It reads at most 5 MB for this.
 */
const ANALYZED_MICROSECONDS = '600000000';

/**
 * ffmpeg counts the times of a file from its beginning, but those of MPEG from the first stream that it reads, so that
 * sound and picture would each begin at 0. With any offset it does not.
 */
const FROM_BEGINNING = ['-itsoffset', '0.000001'];

/** ffmpeg's options to read a file that the service did not create, or that derives from one. */
export function guardedInput(path: string): string[] {
	const analyzed = ['-analyzeduration', ANALYZED_MICROSECONDS];
	return [...GUARDS, ...analyzed, ...FROM_BEGINNING, '-i', fileArgument(path)];
}
