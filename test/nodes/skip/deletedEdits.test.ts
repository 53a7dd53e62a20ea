import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { EngineCredentials } from '../../../testkit/n8n/engineCredentials';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { chain } from '../../../testkit/n8n/workflows';
import { fileItems, urlItem, useRecordingService } from '../../../testkit/service/recordingService';
import { runOne } from '../../../testkit/service/useService';
import { systemTime } from '../../../testkit/time/leapingTime';

/*
 * An edit that we have deleted before its result counted as output. The service reports it as PENDING, so the
 * next execution must not wait for it.
 */

const SKIP = { skipEdited: 'nameAndSize' };
/** In seconds. */
const ALL_DELETED_AFTER = 120;

const store = useProcessedData();
const service = useRecordingService();

/** Each test has its own: what an execution of the test before still does is about another recording. */
let name = '';
let tests = 0;
beforeEach(() => {
	name = `talk-${++tests}.wav`;
});

const access = () => ({ url: service.url, apiKey: 'delete' });

/** Waits in small steps: n8n's memory takes no time of the clock. */
async function deleted() {
	for (let second = 1; second <= ALL_DELETED_AFTER; second++) await systemTime.sleep(1_000);
}

async function edit(
	parameters: INodeParameters,
	mode?: WorkflowExecuteMode,
	stopAfterSeconds?: number,
) {
	const { run } = await service.edit(await fileItems(name), parameters, {
		...(mode && { mode }),
		...(stopAfterSeconds !== undefined && { stopAfterSeconds }),
	});
	await deleted();
	return run;
}

/** Runs a Delete node. */
const deleteEdit = async (mode: WorkflowExecuteMode, editId = 'edit-1') =>
	await runOne(access(), 'delete', { editId }, undefined, { mode });

/** The next execution skips the recording without asking about its edit. */
async function expectSkipped() {
	service.seen.length = 0;
	const run = await edit(SKIP);
	expect(itemsOf(run, 'audioEditing', 1).map(({ json }) => json)).toEqual([
		expect.objectContaining({
			sourceFileName: name,
			skipCode: 'deletedByUs',
			editId: 'edit-1',
			skipReason: expect.stringContaining('has deleted'),
		}),
	]);
	expect(service.seen).toEqual([]);
	expect(service.charged).toEqual([name]);
}

describe('an edit that was deleted after a manual execution', () => {
	beforeEach(async () => {
		await edit(SKIP, 'manual');
	});

	it('by a Delete node is not waited for', async () => {
		await deleteEdit('manual');
		expect(service.deleted).toEqual(['edit-1']);
		await expectSkipped();
	});

	it('but not on the service is fetched', async () => {
		service.fault = ({ method }) => (method === 'DELETE' ? { status: 403, body: {} } : undefined);
		const { error } = await deleteEdit('manual');
		expect(error?.message).toContain('edit-1');
		service.fault = () => undefined;
		const run = await edit(SKIP);
		expect(itemsOf(run, 'audioEditing')).toHaveLength(1);
	});

	it('of the same ID on another service changes nothing', async () => {
		// Another name of the machine stands for another service.
		const other = { ...access(), url: service.url.replace('127.0.0.1', 'localhost') };
		service.fault = ({ method }) => (method === 'DELETE' ? { body: {} } : undefined);
		const { out } = await runOne(other, 'delete', { editId: 'edit-1' }, undefined, {
			mode: 'manual',
		});
		expect(out.map(({ json }) => json.deleted)).toEqual([true]);
		service.fault = () => undefined;
		expect(itemsOf(await edit(SKIP), 'audioEditing')).toHaveLength(1);
	});

	it('of another recording changes nothing', async () => {
		await deleteEdit('manual', 'edit-2');
		expect(itemsOf(await edit(SKIP), 'audioEditing')).toHaveLength(1);
	});

	it('is deleted although n8n cannot store that', async () => {
		store.beforeWrite = () => {
			throw new Error('database is locked');
		};
		const { out, log } = await deleteEdit('manual');
		expect(out.map(({ json }) => json.deleted)).toEqual([true]);
		expect(log.join()).toMatch(/may wait for edits that are deleted, .*: .*database is locked/);
	});
});

it('an edit that Delete Edit When Fetched deleted after a manual execution is not waited for', async () => {
	await edit({ ...SKIP, deleteWhenFetched: true }, 'manual');
	expect(service.deleted).toEqual(['edit-1']);
	await expectSkipped();
});

it('an edit that When Stopped deleted is not waited for', async () => {
	await edit({ ...SKIP, whenStopped: 'delete' }, 'trigger', 30);
	expect(service.deleted).toEqual(['edit-1']);
	await expectSkipped();
});

it('an edit that When Stopped could not delete is fetched', async () => {
	service.fault = ({ method }) => (method === 'DELETE' ? { status: 403, body: {} } : undefined);
	await edit({ ...SKIP, whenStopped: 'delete' }, 'trigger', 30);
	service.fault = () => undefined;
	const run = await edit(SKIP);
	expect(itemsOf(run, 'audioEditing').map(({ json }) => json.editId)).toEqual(['edit-1']);
	expect(service.charged).toEqual([name]);
});

it.each(['delete', 'leave'])(
	'a credential that cannot be read after Stop leaves the edit to the next execution (%s)',
	async (whenStopped) => {
		const stoppedAtMs = systemTime.now() + 30_000;
		const { getDecrypted } = EngineCredentials.prototype;
		const reading = jest.spyOn(EngineCredentials.prototype, 'getDecrypted');
		reading.mockImplementation(async function (this: EngineCredentials, ...asked) {
			if (systemTime.now() >= stoppedAtMs) throw new Error('the vault is sealed');
			return await getDecrypted.apply(this, asked);
		});
		const parameters = { ...SKIP, whenStopped };
		const { log } = await service.edit(await fileItems(name), parameters, { stopAfterSeconds: 30 });
		await deleted();
		reading.mockRestore();
		expect(log.join('\n')).toMatch(/was stopped; these edits keep running on the service: edit-1/);
		if (whenStopped === 'delete') expect(log.join('\n')).toContain('the vault is sealed');
		const run = await edit(SKIP);
		expect(itemsOf(run, 'audioEditing').map(({ json }) => json.editId)).toEqual(['edit-1']);
		expect(service.charged).toEqual([name]);
	},
);

it('an edit that Wait For Edit deleted after Stop is not waited for', async () => {
	const parameters = { skipEdited: 'url' };
	const create = { type: 'createEdit', parameters };
	const wait = { type: 'waitForEdit', parameters: { costAndSafety: { whenStopped: 'delete' } } };
	await service.edit(
		[name],
		{},
		{
			mode: 'manual',
			stopAfterSeconds: 30,
			workflow: chain(create, wait),
		},
	);
	await deleted();
	expect(service.deleted).toEqual(['edit-1']);
	const { run } = await runOne(access(), 'createEdit', parameters, [urlItem(name)]);
	expect(itemsOf(run, 'createEdit', 1).map(({ json }) => json.skipCode)).toEqual(['deletedByUs']);
});

it('what is deleted after an execution of its own accord is not stored', async () => {
	await edit({ ...SKIP, deleteWhenFetched: true });
	expect(service.deleted).toEqual(['edit-1']);
	const entries = [...store.rows.values()].flat().length;
	await deleteEdit('trigger', 'edit-2');
	await edit(SKIP);
	expect(service.deleted).toEqual(['edit-1', 'edit-2']);
	expect([...store.rows.values()].flat()).toHaveLength(entries);
	// That its result was output: two entries.
	expect(entries).toBe(2);
});

it('an edit stays on the service if n8n could not store that its result was output', async () => {
	store.beforeWrite = () => {
		if (service.seen.some(({ path }) => path.startsWith('/files/')))
			throw new Error('database is locked');
	};
	await edit({ ...SKIP, deleteWhenFetched: true });
	expect(service.deleted).toEqual([]);
	store.beforeWrite = () => undefined;
	// The next execution outputs it again.
	const run = await edit(SKIP);
	expect(itemsOf(run, 'audioEditing').map(({ json }) => json.editId)).toEqual(['edit-1']);
});

it('When Stopped deletes an edit although the database no longer responds', async () => {
	let respond = () => {};
	const hangs = new Promise<void>((resolve) => (respond = resolve));
	store.afterRead = async () => await hangs;
	await edit({ whenStopped: 'delete' }, 'trigger', 30);
	expect(service.deleted).toEqual(['edit-1']);
	respond();
	await deleted();
});

it('an edit is not taken for deleted after two crashes in a row', async () => {
	await edit(SKIP, 'manual');
	// Right after the question, which records what it asks about.
	store.beforeWrite = (write) => {
		const last = String(store.passed.at(-1));
		if (write === 'remove' && last.startsWith('deleted:')) throw new Error('n8n has crashed');
	};
	for (let crashes = 0; crashes < 2; crashes++) await edit(SKIP, 'manual');
	store.beforeWrite = () => undefined;
	expect(itemsOf(await edit(SKIP), 'audioEditing')).toHaveLength(1);
});
