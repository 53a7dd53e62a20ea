import { extensionOf, saysNothing } from './mediaTypes';

/** How many bytes at the start of a file show its container. */
export const HEAD_BYTES = 64;

/** A container: how its files begin, and the types of its files by their extensions. */
interface Container {
	readonly begins: RegExp;
	/** The type of a file with any other extension. */
	readonly type: string;
	readonly byExtension?: Readonly<Record<string, string>>;
}

/** In Latin-1. The linter allows no control characters. */
const CONTAINERS: readonly Container[] = [
	{ begins: /^(RIFF|RF64|BW64)....WAVE/s, type: 'audio/wav' },
	{ begins: /^RIFF....AVI /s, type: 'video/x-msvideo' },
	{ begins: /^FORM....AIF[FC]/s, type: 'audio/aiff' },
	{ begins: /^fLaC/, type: 'audio/flac' },
	{
		begins: /^OggS/,
		type: 'audio/ogg',
		byExtension: { flac: 'audio/flac', ogv: 'video/ogg', opus: 'audio/opus' },
	},
	// ADTS has the sync word of MPEG audio, and no layer.
	{ begins: /^\xff[\xf0\xf1\xf8\xf9]/, type: 'audio/aac' },
	{ begins: /^\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff]/, type: 'audio/mpeg' },
	{
		begins: /^ID3/,
		type: 'audio/mpeg',
		byExtension: { aac: 'audio/aac', aiff: 'audio/aiff', flac: 'audio/flac', wav: 'audio/wav' },
	},
	{ begins: /^....ftypM4[AB] /s, type: 'audio/mp4', byExtension: { mp4: 'video/mp4' } },
	{
		begins: /^....ftyp/s,
		type: 'video/mp4',
		byExtension: {
			aac: 'audio/mp4',
			m4a: 'audio/mp4',
			m4b: 'audio/mp4',
			mov: 'video/quicktime',
		},
	},
	{ begins: /^....(moov|mdat|wide|free|skip)/s, type: 'video/quicktime' },
	{
		begins: /^.E\xdf\xa3.*webm/s,
		type: 'video/webm',
		byExtension: { mka: 'audio/x-matroska', mkv: 'video/x-matroska', weba: 'audio/webm' },
	},
	{
		begins: /^.E\xdf\xa3/s,
		type: 'video/x-matroska',
		byExtension: { mka: 'audio/x-matroska', webm: 'video/webm' },
	},
	{ begins: /^0&\xb2u/, type: 'video/x-ms-wmv', byExtension: { wma: 'audio/x-ms-wma' } },
	{ begins: /^#!AMR/, type: 'audio/amr' },
	{ begins: /^caff/, type: 'audio/x-caf' },
	{ begins: /^PK../s, type: 'application/zip' },
];

/**
 * The media type of a file: the one that is stated, if it says something; otherwise by the container that
 * the first bytes show, within which the name's extension decides (an M4A file begins as an MP4 file does).
 *
 * @param stated with or without parameters; empty if nobody states it
 * @param head the first 64 bytes, or fewer of a shorter file
 * @returns undefined where neither says anything
 */
export function fileType(stated: string, head: Buffer, fileName: string): string | undefined {
	if (!saysNothing(stated)) return stated;
	const begin = head.toString('latin1');
	const container = CONTAINERS.find(({ begins }) => begins.test(begin));
	return container?.byExtension?.[extensionOf(fileName)] ?? container?.type;
}
