import { systemTime } from '../../api/time';
import { finished, status, useScriptedEdits } from '../support/scriptedEdits';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const edits = useScriptedEdits();

describe('Wait For Edit', () => {
	it('goes through every status to the result, which may come a poll later', async () => {
		const states = ['PENDING', 'STARTED', 'A_NEW_STATE', 'EXPORT', 'RETRY'];
		edits.script = {
			'/v2/edits/a': [
				...states.map((name) => status('a', name)),
				status('a', 'SUCCESS', []),
				finished('a', edits.service.url),
			],
		};
		const { out } = await edits.run('waitForEdit', ['a']);
		expect(out[0].json).toMatchObject({
			editId: 'a',
			status: 'SUCCESS',
			finished: true,
			fileName: 'episode-edited.mp3',
			statistics: { DEADAIR: 3 },
			polls: 7,
		});
		const history = out[0].json.history as Array<{ status: string }>;
		expect(history.map((change) => change.status)).toEqual([...states, 'SUCCESS']);
	});

	it('accepts the superseded shape', async () => {
		const result = { url: 'https://files.example.com/a.mp3', summary: { title: 'T' } };
		edits.script = { '/v2/edits/a': [{ body: { id: 'a', status: 'SUCCESS', result } }] };
		const { out } = await edits.run('waitForEdit', ['a']);
		expect(out[0].json).toMatchObject({ editId: 'a', finished: true, downloadUrl: result.url });
		const { out: raw } = await edits.run('waitForEdit', ['a'], { simplify: false });
		expect(raw[0].json).toMatchObject({ editId: 'a', id: 'a', result });
	});

	it('ends at once when the execution is stopped', async () => {
		edits.script = { '/v2/edits/a': [status('a', 'EDITING')] };
		const items = [{ json: { editId: 'a' } }];
		const result = await runChain(edits.service, chain({ type: 'waitForEdit' }), items, {
			onStart: (stop) => {
				void stopAfterFirstPoll(stop);
			},
		});
		expect(result.status).toBe('canceled');
		// Half an hour of waiting has 180 polls.
		expect(edits.service.seen.length).toBeLessThan(3);
	});
});

async function stopAfterFirstPoll(stop: () => void): Promise<void> {
	while (edits.service.seen.length === 0) await systemTime.sleep(100);
	stop();
}

it('keeps the error of a large wait short, and names every edit in the log', async () => {
	const ids = Array.from({ length: 10_000 }, (_, index) => `edit-${index}-of-a-large-batch`);
	edits.script = { [`/v2/edits/${ids[0]}`]: [status(ids[0], 'FAILURE')] };
	const items = ids.map((editId) => ({ json: { editId } }));
	const parameters = { options: { firstPollDelaySeconds: 0 } };
	const logged: string[] = [];
	const run = await runChain(edits.service, chain({ type: 'waitForEdit', parameters }), items, {
		onLog: ({ message }) => logged.push(message),
	});
	const { message = '', description = '' } = run.data.resultData.error ?? {};
	expect(message).toContain(ids[0]);
	expect(description).toMatch(/The other edits: .* and 9989 more\. n8n's log names them all\./);
	expect((description ?? '').length).toBeLessThan(2_000);
	const log = logged.join('\n');
	expect(ids.filter((id) => !log.includes(`${id} (`) && id !== ids[0])).toEqual([]);
});
