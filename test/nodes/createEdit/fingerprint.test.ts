import { type FileIdentity, fileIdentity } from '../../../nodes/core/files/fileIdentity';
import { fingerprintOf } from '../../../nodes/core/submit/prepareEdit';
import { runOf, withFields } from '../../../testkit/n8n/nodeContext';

const hashWith = (fields: Record<string, unknown>, files?: FileIdentity[]) =>
	fingerprintOf(runOf(withFields(fields)), files);

it('a field that is not set is the same as one that an earlier version of the package lacks', () => {
	const hash = (more: object) => hashWith({ preset: 'enhance', ...more });
	expect(hash({ options: {}, fileUrls: '' })).toBe(hash({}));
	expect(hash({ cuts: { fillers: true } })).not.toBe(hash({}));
});

describe('another try is of another edit', () => {
	it.each([
		'fileUrls',
		'itemsAre',
		'configure',
		'templateId',
		'preset',
		'configJson',
		'jobType',
		'additionalKeys',
		'remove_noise',
	])('with another %s', (name) => {
		const isOption = /jobType|additionalKeys|remove_noise/.test(name);
		const hash = (value: unknown) =>
			hashWith(isOption ? { options: { [name]: value } } : { [name]: value });
		expect(hash('a')).not.toBe(hash('b'));
		for (const empty of ['', {}, [], null]) expect(hash(empty)).toBe(hashWith({}));
		expect(hash(0)).not.toBe(hashWith({}));
	});

	it('but not with another wait, result, or name of a list', () => {
		expect(hashWith({ maximumWaitMinutes: 5 })).toBe(hashWith({}));
		const listed = (cachedResultName: string, value: unknown = 1) => ({
			templateId: { __rl: true, mode: 'list', value, cachedResultName },
		});
		expect(hashWith(listed('a'))).toBe(hashWith(listed('b')));
		expect(hashWith(listed('a'))).not.toBe(hashWith(listed('a', 2)));
		expect(hashWith({ templateId: { a: 1 } })).not.toBe(hashWith({ templateId: { a: 2 } }));
	});

	it('with another file, wherever n8n has put it', () => {
		const file = { mimeType: 'audio/wav', fileName: 'a.wav', data: 'RIFF' };
		const stored = { ...file, id: 'fs:x/y/7', bytes: 5 };
		expect(fileIdentity('data', stored)).toEqual(['data', 'a.wav', 5, '7']);
		expect(fileIdentity('data', { ...file, fileSize: '5 B' })).toEqual(['data', 'a.wav', '5 B', 4]);
		expect(fileIdentity({ data: file }, file)).toEqual(['', 'a.wav', undefined, 4]);
		expect(hashWith({}, [fileIdentity('data', file)])).not.toBe(hashWith({}));
		expect(hashWith({}, [])).toBe(hashWith({}));
	});
});
