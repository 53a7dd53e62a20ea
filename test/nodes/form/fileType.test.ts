import { fileType, nameWithExtension, saysNothing } from '../../../nodes/shared/form/fileType';
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

it('a file that begins like no known one has no type', () => {
	expect(fileType('', Buffer.from('notes of a meeting'), 'a.mp3')).toBeUndefined();
	expect(fileType('', Buffer.alloc(0), 'a.mp3')).toBeUndefined();
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
