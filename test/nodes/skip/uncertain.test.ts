import type { IDataObject, IRun, NodeOperationError } from 'n8n-workflow';
import { failureOf } from '../../../testkit/n8n/failures';
import { systemTime } from '../../../testkit/time/leapingTime';
import { FILE } from '../../../testkit/service/scriptedSubmissions';
import { HASHES_ONLY } from '../../../testkit/n8n/processedData';
import { BY_URL, useSkipping } from '../../../testkit/n8n/skipping';
import { runOne } from '../../../testkit/service/useService';

const { store, submissions, execution } = useSkipping();
const PARAMETERS = { ...BY_URL, fileUrls: FILE };

it('two executions that begin at the same time in one process submit one edit', async () => {
	await Promise.all([execution(BY_URL), execution(BY_URL)]);
	expect(submissions.service.seen).toHaveLength(1);
});

it('a recording is not remembered if the credential cannot be used', async () => {
	const { error } = await runOne({ url: 'no URL', apiKey: 'x' }, 'createEdit', PARAMETERS);
	expect(error?.message).toContain('use the credential');
	expect(store.rows.size).toBe(0);
});

it('a recording is not uncertain after https was used for a service with http', async () => {
	const { service } = submissions;
	const access = { ...service, url: service.url.replace('http:', 'https:') };
	const { error } = await runOne(access, 'createEdit', PARAMETERS);
	expect(error?.message).toContain('the service could not be reached');
	const { out } = await execution(BY_URL);
	expect(out.map(({ json }) => json.editId)).toEqual(['edit-1']);
});

describe('a recording that may have been submitted', () => {
	beforeEach(async () => {
		submissions.service.answer = () => ({ cut: true });
		await execution(BY_URL);
		submissions.service.answer = () => ({ body: { id: 'edit-2' } });
	});

	it('fails with advice, in every execution, and is not submitted', async () => {
		for (let executions = 1; executions <= 2; executions++) {
			const { error, submitted } = await execution(BY_URL);
			expect(submitted).toBe(1);
			expect(error?.message).toContain('of it may have been accepted');
			expect(error?.message).toContain('[item 0]');
			expect(error?.description).toContain("'If Uncertain'");
		}
	});

	it('is submitted again if the user says so, and then counts as edited', async () => {
		const { out } = await execution({ ...BY_URL, ifUncertain: 'submit' });
		expect(out.map(({ json }) => json.editId)).toEqual(['edit-2']);
		const next = await execution({ ...BY_URL, ifUncertain: 'submit' });
		expect(next.submitted).toBe(2);
		expect(next.skipped).toHaveLength(1);
	});

	it('is skipped if the user says so, and then counts as edited', async () => {
		const { skipped } = await execution({ ...BY_URL, ifUncertain: 'skip' });
		expect(skipped).toHaveLength(1);
		const next = await execution(BY_URL);
		expect(next.submitted).toBe(1);
		expect(next.skipped).toHaveLength(1);
	});
});

describe("n8n's store", () => {
	it('gets hashes only', async () => {
		await execution(BY_URL, [{ fileUrl: `${FILE}?X-Amz-Signature=secret` }]);
		const entries = store.passed.map(String);
		expect(entries.length).toBeGreaterThan(0);
		for (const entry of entries) expect(entry).toMatch(HASHES_ONLY);
	});

	it('that fails before the submission fails the item, and nothing is sent', async () => {
		store.beforeWrite = () => {
			throw new Error('database is locked');
		};
		const { error, submitted } = await execution(BY_URL);
		expect(submitted).toBe(0);
		expect((error as NodeOperationError).messages).toEqual(['database is locked']);
		expect(error?.description).toContain('Nothing was sent');
	});

	/** Once the edit is submitted. */
	const cannotWrite = () => {
		if (submissions.service.seen.length > 0) throw new Error('database is locked');
	};
	const hintsOf = ({ data }: IRun) =>
		data.resultData.runData.createEdit[0].hints?.map(({ message }) => message);

	it('that another process overwrites during a submission has the recording again', async () => {
		submissions.service.answer = () => {
			store.rows.clear();
			return { body: { id: 'edit-1' } };
		};
		await execution(BY_URL);
		const { skipped } = await execution(BY_URL);
		expect(skipped).toHaveLength(1);
	});

	it('that fails after a refusal leaves the error of the refusal, and a hint', async () => {
		store.beforeWrite = cannotWrite;
		submissions.service.answer = () => ({ status: 422, body: { detail: 'no' } });
		const { run, out } = await execution(BY_URL, undefined, { onError: 'continueRegularOutput' });
		expect(failureOf(out[0])?.message).toContain('did not accept the request');
		expect(hintsOf(run)).toEqual([expect.stringContaining("'Submit Again'")]);
	});

	it('that fails after the submission loses no edit ID', async () => {
		store.beforeWrite = cannotWrite;
		const { run, out } = await execution(BY_URL);
		expect(out.map(({ json }) => json.editId)).toEqual(['edit-1']);
		expect(hintsOf(run)).toEqual([expect.stringContaining('will treat it as uncertain')]);
		store.beforeWrite = () => undefined;
		// This process knows that the ID was output.
		const { skipped, submitted } = await execution(BY_URL);
		expect(skipped[0].json).toMatchObject({ skipCode: 'editedBefore', editId: 'edit-1' });
		expect(submitted).toBe(1);
	});
});

describe('when the execution is stopped', () => {
	const ITEMS = [{ fileUrl: FILE }];
	// A hanging access of another test writes its recording again.
	const OTHERS = [{ fileUrl: `${FILE}?other` }];
	const given = (items: IDataObject[]) => items.map((json) => ({ json }));

	/** Lets n8n's memory respond. */
	let answer = () => {};

	// The next test would wait for it.
	afterEach(async () => {
		answer();
		await systemTime.sleep(1_000);
	});

	/** Runs Create Edit until it has ended, and stops it when n8n's memory is first asked after some requests. */
	async function stopAfterRequests(requests: number, items = ITEMS) {
		let stop = () => {};
		let isHanging = false;
		const hangs = new Promise<void>((resolve) => (answer = resolve));
		store.afterRead = async () => {
			if (isHanging || submissions.service.seen.length < requests) return;
			isHanging = true;
			stop();
			await hangs;
		};
		const { run, log } = await runOne(submissions.service, 'createEdit', BY_URL, given(items), {
			onStart: (stopRun) => (stop = stopRun),
		});
		// n8n ends the execution at once; the node ends after this.
		await systemTime.sleep(2_000);
		return { run, log: log.join('\n') };
	}

	const STOPPED =
		'a.wav: could not look up whether the recording was submitted before: the execution was stopped [item 0]';

	it('Stop ends a node whose write hangs, which names the edit; the edit is remembered later', async () => {
		const { log } = await stopAfterRequests(1);
		expect(log).toContain('these edits keep running on the service: edit-1');
		answer();
		// n8n kept no output of the stopped node.
		const { out, submitted } = await execution(BY_URL);
		expect(submitted).toBe(1);
		expect(out.map(({ json }) => json.editId)).toEqual(['edit-1']);
	});

	it('Stop ends a node whose lookup hangs, and the recording is not uncertain afterwards', async () => {
		const { run } = await stopAfterRequests(0, OTHERS);
		expect(run.data.resultData.error?.message).toBe(STOPPED);
		answer();
		const { out, submitted } = await execution(BY_URL, OTHERS);
		expect(submitted).toBe(1);
		expect(out.map(({ json }) => json.editId)).toEqual(['edit-1']);
	});

	it('Stop ends a node whose lookup waits for that of another execution', async () => {
		await stopAfterRequests(0);
		let stop = () => {};
		const running = runOne(submissions.service, 'createEdit', PARAMETERS, undefined, {
			onStart: (stopRun) => (stop = stopRun),
		});
		await systemTime.sleep(2_000);
		stop();
		const { run } = await running;
		await systemTime.sleep(2_000);
		expect(run.data.resultData.error?.message).toBe(STOPPED);
	});
});
