import { fileType } from '../../../nodes/core/files/fileType';
import { nameWithExtension, saysNothing } from '../../../nodes/core/files/mediaTypes';
import { encodedSound } from '../../../testkit/media/mediaFiles';

it.each([
	'application/octet-stream',
	'Binary/Octet-Stream; charset=binary',
	'application/x-download',
	'application/force-download',
	'text/plain; charset=utf-8',
	'',
])('the type %j says nothing', (type) => {
	expect(saysNothing(type)).toBe(true);
});

/** Arguments of ffmpeg, the extension, and the type of a file that has this extension or none. */
const FILES: Array<[args: string[], extension: string, type: string, bare?: string]> = [
	[['-c:a', 'pcm_s16le'], 'wav', 'audio/wav'],
	[['-c:a', 'pcm_s16le', '-rf64', 'always'], 'wav', 'audio/wav'],
	[['-c:a', 'libmp3lame'], 'mp3', 'audio/mpeg'],
	[['-c:a', 'libmp3lame', '-id3v2_version', '0', '-write_xing', '0'], 'mp3', 'audio/mpeg'],
	[['-c:a', 'aac'], 'aac', 'audio/aac'],
	[['-c:a', 'flac'], 'flac', 'audio/flac'],
	[['-c:a', 'libopus'], 'opus', 'audio/opus', 'audio/ogg'],
	[['-c:a', 'libvorbis'], 'ogg', 'audio/ogg'],
	[['-c:a', 'aac'], 'm4a', 'audio/mp4'],
	[['-c:a', 'aac', '-f', 'mp4'], 'm4b', 'audio/mp4', 'video/mp4'],
	[['-c:a', 'aac'], 'mp4', 'video/mp4'],
	[['-c:a', 'aac'], 'mov', 'video/quicktime', 'video/mp4'],
	[['-c:a', 'pcm_s16be'], 'aiff', 'audio/aiff'],
	[['-c:a', 'libopus'], 'webm', 'video/webm'],
	[['-c:a', 'aac'], 'mkv', 'video/x-matroska'],
	[['-c:a', 'aac'], 'mka', 'audio/x-matroska', 'video/x-matroska'],
];

it.each(
	FILES.map(([args, extension, type, bare = type]) => [args, extension, type, bare] as const),
)('ffmpeg %j makes a file .%s, which is %s', (args, extension, type, bare) => {
	const head = encodedSound(0.2, args, extension).subarray(0, 64);
	const typeOf = (stated: string, name: string) => fileType(stated, head, name);
	expect(typeOf('application/octet-stream', `a.${extension}`)).toBe(type);
	expect(typeOf('', 'a')).toBe(bare);
	expect(typeOf('audio/x-said', `a.${extension}`)).toBe('audio/x-said');
});

it.each([
	['RF64\0\0\0\0WAVE', 'a.wav', 'audio/wav'],
	['BW64\0\0\0\0WAVE', 'a', 'audio/wav'],
	['RIFF\0\0\0\0AVI ', 'a', 'video/x-msvideo'],
	['FORM\0\0\0\0AIFC', 'a.aif', 'audio/aiff'],
	['OggS', 'a.ogv', 'video/ogg'],
	['OggS', 'a.flac', 'audio/flac'],
	['ID3\x04', 'a.flac', 'audio/flac'],
	['ID3\x04', 'a.aac', 'audio/aac'],
	['ID3\x04', 'a', 'audio/mpeg'],
	['\0\0\0 ftypM4B ', 'a', 'audio/mp4'],
	['\0\0\0 ftypM4A ', 'a.mp4', 'video/mp4'],
	['\0\0\0\x08wide', 'a', 'video/quicktime'],
	['\x1aE\xdf\xa3 webm', 'a.weba', 'audio/webm'],
	['0&\xb2u', 'a.wma', 'audio/x-ms-wma'],
	['0&\xb2u', 'a', 'video/x-ms-wmv'],
	['#!AMR\n', 'a', 'audio/amr'],
	['caff', 'a', 'audio/x-caf'],
	['PK\x03\x04', 'tracks', 'application/zip'],
])('a file that begins with %j and is named %s is %s', (begin, name, type) => {
	expect(fileType('', Buffer.from(begin, 'latin1'), name)).toBe(type);
});

it('a file that begins like no known one has no type', () => {
	expect(fileType('', Buffer.from('notes of a meeting'), 'a.mp3')).toBeUndefined();
	expect(fileType('', Buffer.alloc(0), 'a.mp3')).toBeUndefined();
});

/** What recorders, cameras and editors write, besides the formats that the service lists. */
const OTHER_EXTENSIONS = [
	'3g2 3gp ac3 aif aifc amr ape au caf dts eac3 f4v flv gsm m2ts m4b m4v mka mp1 mp2 mpa mpeg mpg mpga',
	'mts mxf oga ogv opus ra snd spx ts tta vob w64 wave weba wma wmv wv',
]
	.join(' ')
	.split(' ');

it.each(OTHER_EXTENSIONS)('a name keeps the extension .%s', (extension) => {
	const name = `talk.${extension}`;
	expect(nameWithExtension(name, 'audio/mpeg', 'mp3')).toBe(name);
});

it.each([
	['talk.mp3', 'audio/wav', 'wav', 'talk.mp3'],
	['talk.MP3', 'audio/mpeg', 'mp3', 'talk.MP3'],
	['talk.mp3?raw=1', 'audio/mpeg', 'mp3', 'talk.mp3'],
	['talk.mp3?raw=1&v=1.2', 'text/plain', 'txt', 'talk.mp3'],
	['Episode 12', 'audio/mpeg', undefined, 'Episode 12.mp3'],
	['Episode 12', 'audio/mp3', '', 'Episode 12.mp3'],
	['Episode 1.2', 'audio/mpeg', '2', 'Episode 1.2.mp3'],
	['Interview ep.Anna', 'audio/x-m4a', 'Anna', 'Interview ep.Anna.m4a'],
	['voice', 'audio/ogg; codecs=opus', undefined, 'voice.ogg'],
	['voice', 'audio/ogg; codecs=opus', 'oga', 'voice.oga'],
	['recording.bin', 'audio/wav', 'bin', 'recording.wav'],
	['download', 'video/mp4', undefined, 'download.mp4'],
	['clip.mts', 'model/vnd.mts', 'mts', 'clip.mts'],
	['book.m4b', 'audio/mp4', 'm4b', 'book.m4b'],
	['take.xyz', 'application/x-unheard-of', 'xyz', 'take.xyz'],
	['what?', 'application/octet-stream', 'bin', 'what?'],
	['', 'audio/mpeg', 'mp3', ''],
])('%s of the type %s, which n8n calls %s, is sent as %s', (name, type, extension, sent) => {
	expect(nameWithExtension(name, type, extension)).toBe(sent);
});
