import { systemTime } from '../support/leapingTime';
import type { LogLine } from '../support/n8nEngine';
import { FILE } from '../support/scriptedSubmissions';
import { BY_URL, useSkipping } from '../support/skipping';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const { store, submissions, execution } = useSkipping();

/** Lets n8n's memory respond. */
let answer = () => {};

// The next test would wait for it.
afterEach(async () => {
	answer();
	await systemTime.sleep(1_000);
});

/** Runs Create Edit until it has ended, and stops it when n8n's memory is asked for the nth time. */
async function stopAtCall(call: number) {
	const log: LogLine[] = [];
	let stop = () => {};
	let calls = 0;
	const hangs = new Promise<void>((resolve) => (answer = resolve));
	store.afterRead = async () => {
		if (++calls !== call) return;
		stop();
		await hangs;
	};
	const workflow = chain({ type: 'createEdit', parameters: { ...BY_URL, fileUrls: FILE } });
	const run = await runChain(submissions.service, workflow, undefined, {
		onStart: (stopRun) => (stop = stopRun),
		onLog: (line) => log.push(line),
	});
	// n8n ends the execution at once; the node ends after this.
	await systemTime.sleep(2_000);
	return { run, log: log.map(({ message }) => message).join('\n') };
}

const STOPPED =
	"Could not look up whether the recording was submitted before: the execution was stopped (source file 'a.wav') [item 0]";

it('Stop ends a node whose lookup hangs, and the recording is not uncertain afterwards', async () => {
	const { run } = await stopAtCall(1);
	expect(run.data.resultData.error?.message).toBe(STOPPED);
	answer();
	const { out, submitted } = await execution(BY_URL);
	expect(submitted).toBe(1);
	expect(out.map(({ json }) => json.editId)).toEqual(['edit-1']);
});

it('Stop ends a node whose lookup waits for that of another execution', async () => {
	await stopAtCall(1);
	let stop = () => {};
	const workflow = chain({ type: 'createEdit', parameters: { ...BY_URL, fileUrls: FILE } });
	const running = runChain(submissions.service, workflow, undefined, {
		onStart: (stopRun) => (stop = stopRun),
	});
	await systemTime.sleep(2_000);
	stop();
	const run = await running;
	await systemTime.sleep(2_000);
	expect(run.data.resultData.error?.message).toBe(STOPPED);
});

it('Stop ends a node whose write hangs, which names the edit; the edit is remembered later', async () => {
	const { log } = await stopAtCall(2);
	expect(log).toContain('these edits keep running at the service and are charged: edit-1');
	answer();
	const { skipped, submitted } = await execution(BY_URL);
	expect(submitted).toBe(1);
	expect(skipped).toHaveLength(1);
});
