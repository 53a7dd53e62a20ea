import type { INodeParameters } from 'n8n-workflow';

import {
	decodedName,
	extensionOf,
	isNotMediaExtension,
	isNotMediaType,
	mediaExtension,
	mediaTypeOf,
	nameInUrl,
	safeFileName,
} from '../../../nodes/core/files/mediaTypes';
import { storeFile } from '../../../testkit/n8n/n8nEngine';
import { runOne, useService } from '../../../testkit/service/useService';

const service = useService();

const OTHER_TYPES = `application/pdf image/jpeg image/svg+xml text/html font/woff2 model/gltf-binary message/rfc822
	application/json application/ld+json application/xml application/atom+xml application/zip application/epub+zip
	application/x-zip-compressed application/gzip application/x-gzip application/x-tar application/x-7z-compressed
	application/vnd.rar application/x-rar-compressed application/msword application/rtf application/javascript
	application/vnd.ms-excel application/vnd.ms-powerpoint application/vnd.oasis.opendocument.text
	application/vnd.openxmlformats-officedocument.wordprocessingml.document application/vnd.apple.pages
	application/x-www-form-urlencoded`;

const MEDIA_TYPES = `audio/mpeg audio/x-caf video/mp4 video/x-matroska application/octet-stream binary/octet-stream
	application/ogg application/mp4 application/mxf application/x-matroska application/vnd.ms-asf
	application/vnd.rn-realmedia application/vnd.apple.mpegurl application/x-unheard-of`;

describe('a media type', () => {
	const WITH_PARAMETERS = ['APPLICATION/PDF; version=1.7', 'multipart/form-data; boundary=x'];

	it.each([...OTHER_TYPES.split(/\s+/), ...WITH_PARAMETERS, 'text/plain; charset=utf-8'])(
		'%s is not audio or video',
		(type) => {
			expect(isNotMediaType(type)).toBe(true);
		},
	);

	it.each([...MEDIA_TYPES.split(/\s+/), ''])('%j may be audio or video', (type) => {
		expect(isNotMediaType(type)).toBe(false);
	});
});

it.each(['wav', 'mp4', 'ts', 'mka', 'html', 'php', 'bin', ''])('*.%s may be media', (extension) => {
	expect(isNotMediaExtension(extension)).toBe(false);
});

it.each(['heic', 'jpg', 'docx', 'srt', 'json', '7z', 'zip'])('*.%s is not media', (extension) => {
	expect(isNotMediaExtension(extension)).toBe(true);
});

describe('Upload', () => {
	async function errorOf(name: string, mimeType: string, options: INodeParameters = {}) {
		const data = await storeFile(Buffer.from('content'), name, mimeType);
		const items = [{ json: {}, binary: { data } }];
		return (await runOne(service, 'upload', options, items)).error;
	}

	it.each<[string, string, INodeParameters]>([
		['report.pdf', 'application/pdf', {}],
		['cover.jpg', 'image/jpeg', {}],
		['notes.txt', 'text/plain', {}],
		['page.mp3', 'text/html', {}],
		['report.pdf', 'application/octet-stream', {}],
		// S3 gives this type to files uploaded without one.
		['report.pdf', 'binary/octet-stream', {}],
		['report.pdf', 'application/octet-stream; charset=binary', {}],
		['talk.wav', 'audio/wav', { contentType: 'application/pdf' }],
		['report.pdf', 'application/pdf', { transfer: 'link' }],
	])('refuses %s as %s before anything is sent: %j', async (name, mimeType, options) => {
		const error = await errorOf(name, mimeType, options);
		expect(error?.message).toMatch(/^.* is not audio or video.* \[item 0\]$/);
		expect(error?.message).toContain(name);
		expect(error?.description).toMatch(/^Nothing was sent\..*'Content Type'/);
		expect(service.seen).toEqual([]);
	});

	it.each<[string, string, INodeParameters]>([
		['take', 'application/octet-stream', {}],
		['take.xyz', 'application/x-unheard-of', {}],
		// The type n8n gives files that it does not know.
		['talk.aiff', 'text/plain', {}],
		['book.m4b', 'text/plain', {}],
		['take', 'text/plain', {}],
		['talk.mp3', 'Text/Plain; charset=UTF-8', {}],
		// The type n8n gives a camcorder's video.
		['clip.mts', 'model/vnd.mts', {}],
		['talk.mp3', 'application/pdf', { contentType: 'audio/mpeg' }],
	])('sends %s as %s: %j', async (name, mimeType, options) => {
		expect(await errorOf(name, mimeType, options)).toBeUndefined();
		expect(service.seen.map(({ method }) => method)).toEqual(['POST', 'PUT']);
	});
});

it('Upload finds the type of a WAV in its first bytes', async () => {
	const wav = Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1');
	const data = await storeFile(wav, 'take', 'application/octet-stream');
	await runOne(service, 'upload', {}, [{ json: {}, binary: { data } }]);
	const [asked, put] = service.seen;
	expect(asked.path).toContain('filename=take.wav');
	expect(put.headers['content-type']).toBe('audio/wav');
});

it('Upload asks for a link again after an error of the service: a link is not charged', async () => {
	service.answer = ({ method }, number) => {
		if (method === 'POST' && number === 1) return { status: 500 };
		return method === 'POST' ? { body: { signedUrl: `${service.url}/link` } } : { body: '' };
	};
	const data = await storeFile(Buffer.from('RIFF'), 'take.wav', 'audio/wav');
	const { error } = await runOne(service, 'upload', {}, [{ json: {}, binary: { data } }]);
	expect(error).toBeUndefined();
	expect(service.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT']);
});

describe('Create Edit', () => {
	const create = async (fileUrls: string) => await runOne(service, 'createEdit', { fileUrls });

	it.each([
		'https://files.example/report.pdf',
		'https://files.example/a/Cover.JPG?sig=link-secret',
	])('refuses %s before anything is charged', async (url) => {
		const { error, said } = await create(url);
		expect(error?.message).toMatch(/'File URLs' leads to a file that is not audio or video: '/);
		expect(said).not.toContain('link-secret');
		expect(service.seen).toEqual([]);
	});

	it.each([
		'https://files.example/report.pdf/talk.wav',
		'https://files.example/play.php?file=cover.jpg',
		'https://files.example/download.json?file=talk.mp3',
		'https://files.example/x.key?response-content-disposition=attachment%3B%20filename%3D%22a.WAV%22',
		'https://files.example/',
	])('takes %s', async (url) => {
		expect((await create(url)).error).toBeUndefined();
		expect(service.seen).toHaveLength(1);
	});
});

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
	['%2e%2e%2fx.wav', '%2e%2e%2fx.wav'],
	["it's & more?.wav", "it's & more_.wav"],
	['talk\ud800.wav', 'talk_.wav'],
	['..', 'fallback'],
	['folder/', 'fallback'],
	['', 'fallback'],
	['x'.repeat(200), 'x'.repeat(200)],
	['x'.repeat(201), 'x'.repeat(200)],
	[`${'x'.repeat(196)}.wav`, `${'x'.repeat(196)}.wav`],
	[`${'x'.repeat(197)}.wav`, `${'x'.repeat(196)}.wav`],
	[`${'🎙'.repeat(200)}.wav`, `${'🎙'.repeat(49)}.wav`],
	[`${'語'.repeat(100)}.mp3`, `${'語'.repeat(65)}.mp3`],
	[`x${'u\u0308'.repeat(100)}.mp3`, `x${'ü'.repeat(97)}.mp3`],
	// A family of four is one character that people see, of 25 bytes.
	['👨‍👩‍👧‍👦'.repeat(9), '👨‍👩‍👧‍👦'.repeat(8)],
	['cafe\u0301.wav', 'café.wav'],
	[`${'x'.repeat(195)} and more.wav`, `${'x'.repeat(195)}.wav`],
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

const EXTENSIONS = `audio/aac aac, audio/aiff aiff, audio/flac flac, audio/mp4 m4a, AUDIO/MPEG mp3, audio/ogg ogg,
	audio/opus opus, audio/wav wav, audio/x-flac flac, audio/x-m4a m4a, audio/x-wav wav, video/3gpp 3gp, video/mp4 mp4,
	video/quicktime mov, video/webm webm, video/x-matroska mkv, video/x-msvideo avi, application/zip zip,
	application/octet-stream bin`;

it.each([...EXTENSIONS.split(/,\s+/).map((pair) => pair.split(' ')), ['', 'bin']])(
	'a file of the type %j ends in %j',
	(mediaType, extension) => {
		expect(mediaExtension(mediaType)).toBe(extension);
	},
);

it.each([
	['mp3', 'audio/mpeg'],
	['3gp', 'video/3gpp'],
	['srt', 'application/octet-stream'],
	['', 'application/octet-stream'],
])('the media type of .%s is %s', (extension, type) => {
	expect(mediaTypeOf(extension)).toBe(type);
});
