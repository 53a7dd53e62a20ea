/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they break files on purpose */
import { Container } from '@n8n/di';
import { appendFileSync, createReadStream, rmSync, truncateSync } from 'fs';
import { BinaryDataService } from 'n8n-core';

import { storeFile } from '../support/n8nEngine';
import { type UsedService, useService } from '../support/useService';
import { storedPaths } from '../support/storedPaths';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const SIZE_BYTES = 300_000;

const service: UsedService = useService(({ method }) =>
	method === 'POST' ? { body: { signedUrl: `${service.url}/up/a.wav?sig=1` } } : {},
);

async function upload(change: (path: string) => void, what = /(?<!\.metadata)$/) {
	const binary = await storeFile(Buffer.alloc(SIZE_BYTES, 'x'), 'talk.wav', 'audio/wav');
	const paths = storedPaths(binary).filter((path) => what.test(path));
	expect(paths).not.toEqual([]);
	paths.forEach(change);
	const items = [{ json: {}, binary: { data: binary } }];
	const { error } = (await runChain(service, chain({ type: 'upload' }), items)).data.resultData;
	return `${error?.message} ${error?.description}`;
}

it.each([
	['content', /(?<!\.metadata)$/],
	['metadata', /\.metadata$/],
])('names the file whose %s is gone, before any request', async (_name, what) => {
	const told = await upload((path) => rmSync(path), what);
	expect(told).toMatch(/Could not upload 'talk\.wav': n8n can no longer read its copy.*\[item 0\]/);
	expect(told).toMatch(/Run the workflow again from the node that created the file/);
	expect(service.seen).toEqual([]);
});

it.each([
	[
		'shorter than n8n says',
		(path: string) => truncateSync(path, 100_000),
		'100000 instead of 300000 bytes',
	],
	['cut to nothing', (path: string) => truncateSync(path, 0), '0 instead of 300000 bytes'],
	[
		'longer than n8n says',
		(path: string) => appendFileSync(path, 'y'.repeat(50_000)),
		'instead of 300000 bytes',
	],
])('ends when the file is %s', async (_name, change, said) => {
	const told = await upload(change);
	expect(told).toContain(
		"Could not upload 'talk.wav': the size of n8n's copy of the file is wrong",
	);
	expect(told).toContain(said);
	// A retry would end the same way.
	expect(service.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('a file that cannot be opened, as n8n 1.x reports it, fails its item and not all of n8n', async () => {
	const binary = await storeFile(Buffer.alloc(SIZE_BYTES, 'x'), 'talk.wav', 'audio/wav');
	const store = jest.spyOn(Container.get(BinaryDataService), 'getAsStream');
	store.mockImplementation(async () => createReadStream('/there/is/no/such/file'));
	const crashes: unknown[] = [];
	const noteCrash = (error: unknown) => crashes.push(error);
	process.on('uncaughtException', noteCrash);
	try {
		const items = [{ json: {}, binary: { data: binary } }];
		const { error } = (await runChain(service, chain({ type: 'upload' }), items)).data.resultData;
		expect(error?.message).toContain("Could not upload 'talk.wav'");
		expect(crashes).toEqual([]);
	} finally {
		process.off('uncaughtException', noteCrash);
		store.mockRestore();
	}
});
