/**
 * The containers the service reads. Others are refused: a playlist or a script dressed up as a
 * recording would make ffmpeg open further files or addresses.
 */
const CONTAINERS = [
	'wav,w64,mp3,ogg,flac,aiff,aac,caf,au,amr,ac3',
	'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,asf,mpegts,mpeg,flv',
].join(',');

/** 4096 × 4096: a picture of 8000 × 8000 in a file of 400 KB takes 300 MB to look at. */
const MOST_PIXELS = 16_777_216;

/** More than a decoder needs at a time, in bytes; a damaged header may ask for gigabytes. */
const LARGEST_ALLOCATION_BYTES = 268_435_456;

/** ffmpeg's and ffprobe's options before a file that is not our own work. */
export const GUARDS = [
	...['-protocol_whitelist', 'file,pipe', '-format_whitelist', CONTAINERS],
	...['-max_pixels', String(MOST_PIXELS), '-max_alloc', String(LARGEST_ALLOCATION_BYTES)],
];

/** A path as ffmpeg takes it: never read as an option or as a protocol. */
export function fileArgument(path: string): string {
	return `file:${path}`;
}

/** ffmpeg's options to read a file that is not our own work: a client's, or one made of it. */
export function guardedInput(path: string): string[] {
	return [...GUARDS, '-i', fileArgument(path)];
}
