import type { IExecuteFunctions } from 'n8n-workflow';

import { inTurn } from '../../../nodes/core/skip/memory/nodeMemory';
import { lookUpAll } from '../../../nodes/core/skip/memory/recordingMemory';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { nodeContext } from '../../../testkit/n8n/nodeContext';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { fileItems, useRecordingService } from '../../../testkit/service/recordingService';
import { runOne } from '../../../testkit/service/useService';
import { systemTime } from '../../../testkit/time/leapingTime';

/*
 * Edits that an execution left open, since it was stopped or its process died, and what becomes of them.
 */

const store = useProcessedData();
const service = useRecordingService();

const DAY_MS = 86_400_000;
const SKIP = { skipEdited: 'nameAndSize' };

type Settings = Parameters<typeof service.edit>[2];

const edit = async (name: string, settings?: Settings) =>
	await service.edit(await fileItems(name), SKIP, settings);

/** Why the next execution skips the recording. */
async function skipCode(name: string, settings?: Settings) {
	const { run } = await edit(name, settings);
	return itemsOf(run, 'audioEditing', 1)[0]?.json.skipCode;
}

describe('an edit that Stop left open', () => {
	const leave = async (name: string) => await edit(name, { stopAfterSeconds: 30 });

	it('is fetched up to seven days later, and not charged again', async () => {
		await leave('seven.wav');
		await systemTime.sleep(7 * DAY_MS);
		const { out } = await edit('seven.wav');
		expect(out.map(({ json }) => json.editId)).toEqual(['edit-1']);
		expect(service.charged).toEqual(['seven.wav']);
	});

	it.each([8, 260])('is too old after %d days, when the service has deleted it', async (days) => {
		const name = `${days}.wav`;
		await leave(name);
		await systemTime.sleep(days * DAY_MS);
		service.seen.length = 0;
		expect(await skipCode(name)).toBe('tooOld');
		expect(service.seen).toEqual([]);
		expect(service.charged).toEqual([name]);
	});

	it('keeps the day of its submission while it is not finished', async () => {
		service.seconds['long.wav'] = (30 * DAY_MS) / 1_000;
		const day = new Date(systemTime.timeOfDay()).toISOString().slice(0, 10);
		await leave('long.wav');
		await systemTime.sleep(2 * DAY_MS);
		const parameters = { ...SKIP, whenTimeIsUp: 'passOn', maximumWaitMinutes: 2 };
		const { out } = await service.edit(await fileItems('long.wav'), parameters);
		expect(out.map(({ json }) => json.edit)).toEqual([
			expect.objectContaining({ submittedAt: day }),
		]);
	});

	it('is not asked about at another base URL', async () => {
		await leave('moved.wav');
		service.seen.length = 0;
		// Another name of the machine stands for another service.
		const other = { url: service.url.replace('127.0.0.1', 'localhost'), apiKey: 'left' };
		const { run } = await runOne(other, 'audioEditing', SKIP, await fileItems('moved.wav'));
		const skipped = itemsOf(run, 'audioEditing', 1).map(({ json }) => json.skipCode);
		expect(skipped).toEqual(['otherCredential']);
		expect(service.seen).toEqual([]);
	});

	it('is not asked about with another credential', async () => {
		await leave('other.wav');
		service.seen.length = 0;
		const credentials = { audioEditingApi: { id: '2', name: 'Another' } };
		expect(await skipCode('other.wav', { settings: { credentials } })).toBe('otherCredential');
		expect(service.seen).toEqual([]);
		expect(await skipCode('other.wav')).toBeUndefined();
	});
});

it('an edit that was not finished in time is fetched by the next execution, as the recipes say', async () => {
	service.seconds['slow.wav'] = 600;
	const settings = { settings: { onError: 'continueErrorOutput' } } as const;
	const parameters = { ...SKIP, maximumWaitMinutes: 2 };
	const first = await service.edit(await fileItems('slow.wav'), parameters, settings);
	expect(first.out).toEqual([]);
	await systemTime.sleep(DAY_MS);
	const { out } = await edit('slow.wav', settings);
	expect(out.map(({ json }) => json.editId)).toEqual(['edit-1']);
	expect(service.charged).toEqual(['slow.wav']);
});

describe('a limit of spending', () => {
	const credit = (total: number) => {
		service.fault = ({ path }) =>
			path === '/v1/account' ? { body: { credit: { total } } } : undefined;
	};
	const isCreditRead = () => service.seen.some(({ path }) => path === '/v1/account');

	it('keeps no edit that was left open from being fetched, and is the reason to skip the others', async () => {
		await edit('low.wav', { stopAfterSeconds: 30 });
		credit(1);
		const items = await fileItems('low.wav', 'new.wav');
		const { run, out } = await service.edit(items, { ...SKIP, stopBelowCredit: 10 });
		expect(out.map(({ json }) => json.editId)).toEqual(['edit-1']);
		expect(itemsOf(run, 'audioEditing', 1).map(({ json }) => json)).toEqual([
			expect.objectContaining({
				sourceFileName: 'new.wav',
				skipCode: 'overLimit',
				skipReason: "The account's credit, 1, is below 10.",
			}),
		]);
		expect(service.charged).toEqual(['low.wav']);
	});

	it('is not asked about if everything was edited before', async () => {
		await edit('known.wav');
		await systemTime.sleep(60_000);
		credit(1);
		const parameters = { ...SKIP, stopBelowCredit: 10 };
		const { error } = await service.edit(await fileItems('known.wav'), parameters);
		expect(error).toBeUndefined();
		expect(isCreditRead()).toBe(false);
	});
});

it('the memory of a process that died is free again within two minutes', async () => {
	let atDeath: Array<[string, readonly string[]]> = [];
	service.fault = ({ path, method }) => {
		if (method === 'GET' && path.includes('/edits/')) atDeath = [...store.rows];
		return undefined;
	};
	// What comes after it has begun is what the dead process does no more.
	await edit('dead.wav', { mode: 'manual' });
	// In small steps: n8n's memory takes no time of the clock.
	for (let second = 0; second < 5; second++) await systemTime.sleep(1_000);
	service.fault = () => undefined;
	store.rows.clear();
	for (const [row, entries] of atDeath) store.rows.set(row, entries);
	const beganAtMs = systemTime.now();
	const { out } = await edit('dead.wav');
	expect(out.map(({ json }) => json.editId)).toEqual(['edit-1']);
	const seconds = (systemTime.now() - beganAtMs) / 1_000;
	expect(seconds).toBeGreaterThan(20);
	expect(seconds).toBeLessThan(120);
	expect(service.charged).toEqual(['dead.wav']);
});

it('the lookup of many recordings lets other executions have their turn', async () => {
	const ended: string[] = [];
	const helpers: Partial<IExecuteFunctions['helpers']> = {
		checkProcessedAndRecord: async (items) => ({ new: items, processed: [] }),
		removeProcessed: async () => undefined,
	};
	const context = nodeContext({ helpers: helpers as IExecuteFunctions['helpers'] });
	const recordings = Array.from({ length: 101 }, (_, n) => ({ key: `k${n}`, request: 'r' }));
	const lookUp = lookUpAll(context, recordings).then(() => ended.push('lookup'));
	const other = inTurn(context, async () => await Promise.resolve()).then(() =>
		ended.push('other'),
	);
	await Promise.all([lookUp, other]);
	expect(ended).toEqual(['other', 'lookup']);
});

it('a name that another node wrote in decomposed letters is the same in composed ones', async () => {
	const create = async (form: string) => {
		const json = {
			fileUrl: `https://files.example.com/${form}.wav`,
			fileName: 'Gespräch.wav'.normalize(form),
			sizeBytes: 100,
		};
		return await runOne(service, 'createEdit', SKIP, [{ json }]);
	};
	await create('NFD');
	await create('NFC');
	expect(service.charged).toHaveLength(1);
});
