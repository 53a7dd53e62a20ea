import { extensionOf, mediaExtension, mediaTypeOf, withoutExtension } from './mediaTypes';

/** How many bytes at the start of a file show its container. */
export const HEAD_BYTES = 64;

/**
 * Types that say nothing about a file. S3 and others use octet-stream for unknown files, and n8n
 * `text/plain`; n8n takes a camcorder's `.mts` for `model/vnd.mts`.
 */
const UNTYPED =
	/^((application|binary)\/(octet-stream|(x-)?(force-)?download|unknown)|text\/plain|model\/vnd\.mts|)$/i;

/** Whether a media type, with or without parameters, says nothing about a file. */
export function saysNothing(contentType: string): boolean {
	return UNTYPED.test(contentType.split(';')[0].trim());
}

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

/** Extensions of audio and video that services and programs know, besides those that types have. */
const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set(
	[
		'3g2 ac3 aif aifc ape au dts eac3 f4v flv gsm m2ts m4b m4v mp1 mp2 mpa mpeg mpga mts mxf oga',
		'ra snd spx tta vob w64 wave wv',
	]
		.join(' ')
		.split(' '),
);

/** Extensions that programs give to files that they know nothing about. */
const EMPTY_EXTENSION = /\.(bin|dat|download|file|part|tmp|unknown)$/i;

/** A query that a name from a URL has kept. */
const QUERY = /(\.\w{1,8})\?.*$/s;

const isMediaExtension = (extension: string): boolean =>
	KNOWN_EXTENSIONS.has(extension) || mediaTypeOf(extension) !== 'application/octet-stream';

/**
 * A file name with an extension, by which services decide what a file is (api.md#input-formats): its own,
 * if it is one of audio or video; otherwise the one that n8n knows, or that of its media type. "Episode 1.2"
 * has none.
 *
 * @param type its media type
 * @param extension what n8n knows about the file, without the dot
 */
export function nameWithExtension(name: string, type: string, extension = ''): string {
	const own = name.replace(QUERY, '$1');
	if (isMediaExtension(extensionOf(own))) return own;
	const known = [extension.toLowerCase(), mediaExtension(type)].find(isMediaExtension);
	if (name === '' || known === undefined) return name;
	return `${EMPTY_EXTENSION.test(own) ? withoutExtension(own) : own}.${known}`;
}
