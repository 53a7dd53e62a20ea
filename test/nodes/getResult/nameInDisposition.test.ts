import { nameInDisposition } from '../../../nodes/core/fetch/fetchFile';

describe('the name of a file', () => {
	/** Returns a UTF-8 header as Node.js passes it on. */
	const asLatin1 = (text: string) => Buffer.from(text).toString('latin1');

	it.each([
		['attachment; filename="a;b.mp3"', 'a;b.mp3'],
		["attachment; filename*=UTF-8'en'na%20me.mp3", 'na me.mp3'],
		['attachment; filename="plain.mp3"; filename*=UTF-8\'\'%C3%9Cn%C3%AF.mp3', 'Ünï.mp3'],
		["attachment; filename*=utf-8''x.mp3; filename=y.mp3", 'x.mp3'],
		['attachment; filename*="UTF-8\'\'x.mp3"', 'x.mp3'],
		["attachment; filename*=ISO-8859-1''%DCn%EF.mp3", 'Ünï.mp3'],
		['attachment; filename*=bare%20name.mp3', 'bare name.mp3'],
		['attachment; filename="say \\"hi\\".mp3"', 'say "hi".mp3'],
		['attachment; filename="Ünï 🎙.mp3"', 'Ünï 🎙.mp3'],
		['attachment; filename=100%.mp3', '100%.mp3'],
		['attachment; filename="a%20b.mp3"', 'a b.mp3'],
		['attachment;FileName = take 1.mp3 ; size=7', 'take 1.mp3'],
		['attachment; name="filename=x.mp3"; filename=y.mp3', 'y.mp3'],
		['filename=z.mp3', 'z.mp3'],
		['attachment; filename=""', undefined],
		['attachment; filename=', undefined],
		['attachment', undefined],
		['inline; size=1', undefined],
		['', undefined],
	])('is read from the header %s', (header, name) => {
		expect(nameInDisposition(asLatin1(header))).toBe(name);
	});

	it('may be real Latin-1', () => {
		expect(nameInDisposition('attachment; filename="\u00dcn\u00ef.mp3"')).toBe('Ünï.mp3');
	});
});
