import { systemTime } from '../../../testkit/time/leapingTime';
import {
	fileItems,
	type RecordingService,
	useRecordingService,
} from '../../../testkit/service/recordingService';

const service = useRecordingService();

const FORTY = Array.from({ length: 40 }, (_, n) => `r${n}.wav`);

/** Answers a submission of these files, by name, instead of the service. */
function answerSubmissions(answers: Record<string, ReturnType<RecordingService['fault']>>): void {
	service.fault = ({ path, body }) => {
		const name = Object.keys(answers).find((one) => body.includes(one));
		return path === '/v2/edits' && name !== undefined ? answers[name] : undefined;
	};
}

describe('a submission without a usable response', () => {
	it('is named by its file when another item ends the node', async () => {
		answerSubmissions({ 'a.wav': { status: 422 }, 'b.wav': { cut: true } });
		const { error } = await service.edit(['a.wav', 'b.wav']);
		expect(error?.message).toMatch(/^a\.wav: could not create the edit/);
		expect(error?.description).toContain(
			'The service may also have the edits of b.wav: it did not send a usable response. Look at your recent edits on the service.',
		);
	});

	it('is not named twice when it ends the node', async () => {
		answerSubmissions({ 'b.wav': { cut: true } });
		const { error } = await service.edit(['b.wav']);
		expect(error?.message).toMatch(/^b\.wav: could not create the edit/);
		expect(error?.description).not.toContain('may also have');
	});

	it('is logged after Stop, also if Stop deletes the edits', async () => {
		answerSubmissions({ 'b.wav': { cut: true } });
		service.seconds['a.wav'] = 900;
		const { log } = await service.edit(
			['a.wav', 'b.wav'],
			{ costAndSafety: { whenStopped: 'delete' } },
			{ settings: { onError: 'continueRegularOutput' }, stopAfterSeconds: 100 },
		);
		expect(service.deleted).toEqual(['edit-1']);
		expect(log.join()).toContain('was stopped while an edit was being submitted');
	});
});

it('names the edits that were accepted while a failure ended the node', async () => {
	answerSubmissions({ 'a.wav': { status: 422 } });
	const { error } = await service.edit(['a.wav', 'b.wav', 'c.wav', 'd.wav']);
	expect(service.charged).toHaveLength(3);
	expect(error?.description).toMatch(/Created in this run: (edit-\d \('[bcd]\.wav'\)(, |\.)){3}/);
	expect(error?.description).toContain('In this run: 1 failed: a.wav, 3 not finished.');
});

it('names the edits that an earlier round of a loop created', async () => {
	Object.assign(service.seconds, { 'a.wav': 900, 'broken.wav': 300 });
	const parameters = { maximumWaitMinutes: 2, whenTimeIsUp: 'passOn' };
	const { out } = await service.edit(['a.wav', 'broken.wav'], parameters);
	const { error } = await service.edit(out, { recordingFrom: 'url' });
	const [goesOn, broken] = out.map(({ json }) => json.editId);
	expect(error?.message).toBe(
		`broken.wav could not be edited: the service gives no reason (edit ${broken}) [item 1]`,
	);
	expect(error?.description).toContain(`Created before this run: ${goesOn} ('a.wav').`);
});

it('Stop of a batch ends uploads, submissions and polls, and names the edits that go on', async () => {
	for (const [n, name] of FORTY.entries()) service.seconds[name] = n < 3 ? 35 : 900;
	let requestsASecondLater = 0;
	const onStart = (stop: () => void) =>
		void service.begun().then(async () => {
			await systemTime.sleep(100_000);
			stop();
			await systemTime.sleep(1_000);
			requestsASecondLater = service.seen.length;
		});
	const items = await fileItems(...FORTY);
	const { run, log } = await service.edit(items, {}, { onStart, stopAfterSeconds: 100 });
	expect(run.status).toBe('canceled');
	expect(service.seen.length).toBe(requestsASecondLater);
	expect(service.charged.length).toBeGreaterThan(20);
	expect(service.charged.length).toBeLessThan(40);
	// Three are edited and fetched by then.
	const going = log.filter((line) => line.includes('was stopped; these edits keep running'));
	const named = new Set(going.join().match(/edit-\d+/g));
	expect(named.size).toBe(service.charged.length - 3);
});

describe('progress', () => {
	const settings = { onError: 'continueErrorOutput' } as const;

	it('says how far the whole batch is', async () => {
		answerSubmissions({ 'r7.wav': { status: 422 } });
		for (const name of FORTY.slice(20)) service.seconds[name] = 400;
		const { log } = await service.edit(await fileItems(...FORTY), {}, { settings });
		const lines = log.filter((text) => / of 40 recordings edited/.test(text));
		expect(lines[0]).toMatch(
			/^Audio editing: audioEditing \(execution 7\): 0 of 40 recordings edited after \d+ s \((1 failed, )?\d+ uploading or waiting for the rate limit, \d+ on the service\), the next in 61 s \(rate limit of the API key\)(; failed: r7\.wav)?$/,
		);
		expect(lines.at(-1)).toMatch(
			/: 39 of 40 recordings edited after \d+ s \(1 failed\); failed: [\w. ]+$/,
		);
		expect(lines.length).toBeLessThan(25);
	});

	it('counts an item whose form cannot be read as failed', async () => {
		const items = [{ json: {} }, ...(await fileItems('a.wav', 'b.wav'))];
		const { log } = await service.edit(items, {}, { settings });
		const lines = log.filter((text) => / of 3 recordings edited/.test(text));
		expect(lines.at(-1)).toMatch(
			/: 2 of 3 recordings edited after \d+ s \(1 failed\); failed: [\w. ]+$/,
		);
	});
});
