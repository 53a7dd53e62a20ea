import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { makeRecording } from '../../../testkit/media/recording';
import { itemsOf, readFile, startEngine, storeFile } from '../../../testkit/n8n/n8nEngine';
import { expectToFit } from '../../../testkit/n8n/outputSchemas';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import { type LocalService, startLocalService } from '../../../testkit/service/localService';
import { runOne } from '../../../testkit/service/useService';

const QUESTION = { resource: 'review', operation: 'getDoubtful' };
const DECISION = { resource: 'review', operation: 'decide' };

// The clock of the nodes may move on while an edit waits for its review.
const local = {} as LocalService;
beforeAll(async () => {
	await startEngine();
	Object.assign(local, await startLocalService(['--status-calls-per-minute', '100000']));
});
afterAll(async () => {
	await local.stop();
});
const recording = makeRecording({ partsSeconds: [2, 1.5, 2, 2.5, 2, 0.5, 2] });

/** An edit that waits for its review, with its doubtful cuts as items. */
async function questions(): Promise<INodeExecutionData[]> {
	const data = await storeFile(recording, 'talk.wav', 'audio/wav');
	const config = { preset: 'none', long_silences: true, remove_noise: 'false', review: true };
	const steps = [{ type: 'upload' }, { type: 'createEdit', parameters: config }];
	const created = await runChain(local, chain(...steps), [{ json: {}, binary: { data } }]);
	expect(created.data.resultData.error).toBeUndefined();
	const [{ json }] = itemsOf(created, 'createEdit');
	for (;;) {
		const { out, error } = await runOne(local, 'account', QUESTION, [{ json }]);
		if (error === undefined) return out;
		// Until the cuts are found, the error says so.
		expect(error.description).toContain('The cuts are still being found');
	}
}

/** The item of the edit's result, once there is one. */
async function resultOf(json: IDataObject): Promise<INodeExecutionData> {
	for (;;) {
		const { out, error } = await runOne(local, 'getResult', {}, [{ json }]);
		if (error === undefined) return out[0];
		expect(error.message).toMatch(/not finished|POSTPROCESSING|still/);
	}
}

const decide = async (items: INodeExecutionData[], parameters: INodeParameters = {}) =>
	await runOne(local, 'account', { ...DECISION, ...parameters }, items);

it('asks about the cuts with both clips, and finishes the edit as the items decide', async () => {
	const items = await questions();
	expect(items).toHaveLength(2);
	for (const { json, binary = {} } of items) {
		expectToFit({ type: 'account', resource: 'review', operation: 'getDoubtful' }, json);
		expect(json).toMatchObject({ sourceFileName: 'talk.wav', revision: 0, kind: 'long_silence' });
		expect(json.question).toMatch(/^Cut a pause of \d\.\d s at 0:0\d\? /);
		expect(Object.keys(binary)).toEqual(['before', 'after']);
		for (const clip of Object.values(binary)) {
			expect(clip.mimeType).toBe('audio/mpeg');
			expect((await readFile(clip)).length).toBeGreaterThan(20_000);
		}
	}
	const decided = items.map(({ json }, index) => {
		return { json: { ...json, keep: index === 0 } as IDataObject };
	});
	const { out, error } = await decide(decided);
	expect(error).toBeUndefined();
	const [{ json, pairedItem }] = out;
	expectToFit({ type: 'account', resource: 'review', operation: 'decide' }, json);
	expect([out.length, pairedItem]).toEqual([1, [{ item: 0 }, { item: 1 }]]);
	expect(json).toMatchObject({ approvedBy: 'n8n', decided: 2, kept: 1 });
	// The same items again, as after a retry of the execution, approve nothing twice.
	expect((await decide(decided)).error).toBeUndefined();
	const approvals = local.log.filter((line) => line.includes('approved by'));
	expect(approvals).toHaveLength(1);
	const { binary = {} } = await resultOf(json);
	const edited = await readFile(binary.data);
	const made = decided.filter((item) => !item.json.keep);
	const removed = made.map((item) => Number(item.json.end) - Number(item.json.start));
	const bytesGone = 2 * removed.reduce((sum, samples) => sum + samples, 0);
	expect(soundOf(edited)).toHaveLength(soundOf(recording).length - bytesGone);
	const [kept] = decided;
	const earlier = made.filter((item) => Number(item.json.end) <= Number(kept.json.start));
	const moved = earlier.length > 0 ? bytesGone : 0;
	const [from, to] = [2 * Number(kept.json.start), 2 * Number(kept.json.end)];
	const back = soundOf(edited).subarray(from - moved, to - moved);
	expect(back.equals(soundOf(recording).subarray(from, to))).toBe(true);
}, 60_000);

it('takes a list, refuses what came too late, and says what to do once it is decided', async () => {
	const [first, second] = await questions();
	const { start, end, editId } = first.json;
	const decisions = JSON.stringify([{ start, end, keep: true }]);
	const late = { decisions, revision: '7', decidedBy: 'Ann' };
	const { said } = await decide([first], late);
	expect(said).toMatch(/^talk\.wav: could not approve the cuts: .*\(edit .*\) \[item 0\]/);
	expect(said).toContain('Get the doubtful cuts again.');
	const { out } = await decide([first], { decisions, decidedBy: 'Ann' });
	expect(out[0].json).toMatchObject({ approvedBy: 'Ann', decided: 1, kept: 1 });
	const other = { json: { ...second.json, keep: true } };
	expect((await decide([other])).error).toBeDefined();
	for (;;) {
		const { error } = await runOne(local, 'account', QUESTION, [first]);
		if (!/is approved/.test(error?.message ?? '')) {
			expect(error?.message).toMatch(
				new RegExp(`already decided: the edit is finished \\(edit ${String(editId)}\\)`),
			);
			expect(error?.description).toContain('Audio Editing Get Result');
			break;
		}
	}
}, 60_000);

function soundOf(wav: Buffer): Buffer {
	const data = wav.indexOf('data');
	return wav.subarray(data + 8, data + 8 + wav.readUInt32LE(data + 4));
}
