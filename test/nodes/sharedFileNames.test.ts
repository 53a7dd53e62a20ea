import {
	decodedName,
	extensionOf,
	mediaExtension,
	nameInUrl,
	safeFileName,
} from '../../nodes/shared/form/mediaTypes';

it.each([
	['a.WAV', 'wav'],
	['a.tar.gz', 'gz'],
	['a.b.', ''],
	['no extension', ''],
	['a.with space', ''],
	['a.ninechars', ''],
	['a.8letters', '8letters'],
	['.hidden', 'hidden'],
])('the extension of %j is %j', (name, extension) => {
	expect(extensionOf(name)).toBe(extension);
});

it.each([
	['folder/sub\\take 1.wav', 'take 1.wav'],
	['a<b>c:d"e|f?g*h.wav', 'a_b_c_d_e_f_g_h.wav'],
	['a\r\n\u2028\u2029b.wav', 'a_b.wav'],
	[' ..name.wav.. ', 'name.wav'],
	['Ü 🎙️.wav', 'Ü 🎙️.wav'],
	['..', 'fallback'],
	['folder/', 'fallback'],
	['', 'fallback'],
	['x'.repeat(150), 'x'.repeat(150)],
	['x'.repeat(151), 'x'.repeat(149)],
	[`${'x'.repeat(146)}.wav`, `${'x'.repeat(146)}.wav`],
	[`${'x'.repeat(147)}.wav`, `${'x'.repeat(146)}.wav`],
	[`${'🎙'.repeat(200)}.wav`, `${'🎙'.repeat(146)}.wav`],
])('%j becomes the safe name %j', (name, safe) => {
	expect(safeFileName(name, 'fallback')).toBe(safe);
});

it('a name is decoded if possible, and otherwise kept', () => {
	expect(decodedName('a%20%C3%BC.wav')).toBe('a ü.wav');
	expect(decodedName('100%.wav')).toBe('100%.wav');
});

it.each([
	['https://h.example/a/take%201.wav?sig=x#y', 'take 1.wav'],
	['https://h.example/a/', ''],
	['https://h.example', ''],
])('the name at the end of %s is %j', (url, name) => {
	expect(nameInUrl(url)).toBe(name);
});

it.each([
	['audio/aac', 'aac'],
	['audio/aiff', 'aiff'],
	['audio/flac', 'flac'],
	['audio/mp4', 'm4a'],
	['AUDIO/MPEG', 'mp3'],
	['audio/ogg', 'ogg'],
	['audio/opus', 'opus'],
	['audio/wav', 'wav'],
	['audio/x-flac', 'flac'],
	['audio/x-m4a', 'm4a'],
	['audio/x-wav', 'wav'],
	['video/mp4', 'mp4'],
	['video/quicktime', 'mov'],
	['video/webm', 'webm'],
	['video/x-matroska', 'mkv'],
	['video/x-msvideo', 'avi'],
	['application/zip', 'zip'],
	['application/octet-stream', 'bin'],
	['', 'bin'],
])('a file of the type %j ends in %j', (mediaType, extension) => {
	expect(mediaExtension(mediaType)).toBe(extension);
});
