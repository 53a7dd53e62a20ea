import type { INodeParameters } from 'n8n-workflow';

import { isNotMediaExtension, isNotMediaType } from '../../nodes/shared/form/mediaTypes';
import { storeFile } from '../support/n8nEngine';
import { type UsedService, useService } from '../support/useService';
import { chain, runChain } from '../support/workflows';

const service: UsedService = useService(({ method, path }) =>
	method === 'POST' && path.startsWith('/v2/upload')
		? { body: { signedUrl: `${service.url}/store/1?signature=x` } }
		: { body: { id: 'edit-1' } },
);

describe('a media type', () => {
	it.each([
		'application/pdf',
		'APPLICATION/PDF; version=1.7',
		'image/jpeg',
		'image/svg+xml',
		'text/plain; charset=utf-8',
		'text/html',
		'font/woff2',
		'model/gltf-binary',
		'message/rfc822',
		'multipart/form-data; boundary=x',
		'application/json',
		'application/ld+json',
		'application/xml',
		'application/atom+xml',
		'application/zip',
		'application/epub+zip',
		'application/x-zip-compressed',
		'application/gzip',
		'application/x-gzip',
		'application/x-tar',
		'application/x-7z-compressed',
		'application/vnd.rar',
		'application/x-rar-compressed',
		'application/msword',
		'application/rtf',
		'application/javascript',
		'application/vnd.ms-excel',
		'application/vnd.ms-powerpoint',
		'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
		'application/vnd.oasis.opendocument.text',
		'application/vnd.apple.pages',
		'application/x-www-form-urlencoded',
	])('%s is not audio or video', (type) => {
		expect(isNotMediaType(type)).toBe(true);
	});

	it.each([
		'audio/mpeg',
		'audio/x-caf',
		'video/mp4',
		'video/x-matroska',
		'application/octet-stream',
		'binary/octet-stream',
		'application/ogg',
		'application/mp4',
		'application/mxf',
		'application/x-matroska',
		'application/vnd.ms-asf',
		'application/vnd.rn-realmedia',
		'application/vnd.apple.mpegurl',
		'application/x-unheard-of',
		'',
	])('%j may be audio or video', (type) => {
		expect(isNotMediaType(type)).toBe(false);
	});
});

it.each(['wav', 'mp4', 'ts', 'mka', 'html', 'php', 'bin', ''])('*.%s may be media', (extension) => {
	expect(isNotMediaExtension(extension)).toBe(false);
});

describe('Upload', () => {
	async function errorOf(name: string, mimeType: string, options: INodeParameters = {}) {
		const data = await storeFile(Buffer.from('content'), name, mimeType);
		const items = [{ json: {}, binary: { data } }];
		const run = await runChain(service, chain({ type: 'upload', parameters: { options } }), items);
		return run.data.resultData.error;
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
		expect(error?.message).toMatch(/^The file '.*' is not audio or video.* \[item 0\]$/);
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

describe('Create Edit', () => {
	const create = async (fileUrls: string) =>
		await runChain(service, chain({ type: 'createEdit', parameters: { fileUrls } }));

	it.each([
		'https://files.example/report.pdf',
		'https://files.example/a/Cover.JPG?sig=link-secret',
	])('refuses %s before anything is charged', async (url) => {
		const { error } = (await create(url)).data.resultData;
		expect(error?.message).toMatch(/'File URLs' leads to a file that is not audio or video: '/);
		expect(`${error?.message} ${error?.description}`).not.toContain('link-secret');
		expect(service.seen).toEqual([]);
	});

	it.each([
		'https://files.example/report.pdf/talk.wav',
		'https://files.example/play.php?file=cover.jpg',
		'https://files.example/download.json?file=talk.mp3',
		'https://files.example/x.key?response-content-disposition=attachment%3B%20filename%3D%22a.WAV%22',
		'https://files.example/',
	])('takes %s', async (url) => {
		expect((await create(url)).data.resultData.error).toBeUndefined();
		expect(service.seen).toHaveLength(1);
	});
});
