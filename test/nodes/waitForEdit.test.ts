import type { INodeParameters } from 'n8n-workflow';

import { systemTime } from '../../api/time';
import { failureOf } from '../support/failures';
import { itemsOf } from '../support/n8nEngine';
import { finished, status, useScriptedEdits } from '../support/scriptedEdits';
import { type NodeSpec, chain, runChain } from '../support/workflows';

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

	it('outputs nothing for no items', async () => {
		const { out, error } = await edits.run('waitForEdit', []);
		expect(out).toEqual([]);
		expect(error).toBeUndefined();
	});

	it('polls an edit in two items once', async () => {
		edits.script = { '/v2/edits/a': [finished('a', edits.service.url)] };
		const { out } = await edits.run('waitForEdit', ['a', 'a']);
		expect(out.map(({ json }) => json.editId)).toEqual(['a', 'a']);
		expect(edits.service.seen).toHaveLength(1);
	});

	it('fails only the failed edit', async () => {
		edits.script = {
			'/v2/edits/a': [finished('a', edits.service.url)],
			'/v2/edits/b': [status('b', 'FAILURE')],
			'/v2/edits/c': [status('c', 'EDITING'), finished('c', edits.service.url)],
		};
		const settings: NodeSpec['settings'] = { onError: 'continueErrorOutput' };
		const { run: result, out } = await edits.run('waitForEdit', ['a', 'b', '', 'c'], {}, settings);
		expect(out.map(({ json }) => json.editId)).toEqual(['a', 'c']);
		const failures = itemsOf(result, 'waitForEdit', 1);
		expect(failures.map((item) => failureOf(item)?.message)).toEqual([
			expect.stringMatching(
				/^Edit b ended .* FAILURE after .* s of waiting \(source file 'b\.wav'\) \[item 1\]$/,
			),
			expect.stringMatching(/'Edit ID' is empty.*\[item 2\]$/),
		]);
	});

	it('names the edit, its state and the other edits when it ends the workflow', async () => {
		edits.script = {
			'/v2/edits/a': [status('a', 'EDITING')],
			'/v2/edits/b': [status('b', 'EDITING'), status('b', 'FAILURE')],
		};
		const { error } = await edits.run('waitForEdit', ['a', 'b']);
		expect(error?.message).toMatch(/^Edit b ended with status FAILURE/);
		expect(error?.description).toMatch(/create a new edit.*The other edits: a \(EDITING\)/);
	});

	it('fails when the time is up, and says how to get the edit later', async () => {
		edits.script = { '/v2/edits/a': [status('a', 'PENDING')] };
		const { error } = await edits.run('waitForEdit', ['a'], { maximumWaitMinutes: 1 });
		expect(error?.message).toMatch(
			/Edit a did not finish in time: its status was still PENDING after [\d.]+ s/,
		);
		expect(error?.description).toMatch(
			/keeps running at the service.*Raise 'Maximum Wait \(Minutes\)'.*and the ID a.*unknown/,
		);
	});

	it('passes on unfinished edits if it is set to', async () => {
		edits.script = { '/v2/edits/a': [status('a', 'EDITING')] };
		const parameters = { maximumWaitMinutes: 1, whenTimeIsUp: 'passOn' };
		const { out, error } = await edits.run('waitForEdit', ['a'], parameters);
		expect(error).toBeUndefined();
		expect(out[0].json).toMatchObject({ editId: 'a', status: 'EDITING', finished: false });
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

	it('refuses an empty id at once, before any wait', async () => {
		const { error } = await edits.run('waitForEdit', ['']);
		expect(error?.message).toMatch(/'Edit ID' is empty/);
		expect(edits.service.seen).toEqual([]);
	});

	it.each<[string, INodeParameters]>([
		['Maximum Wait', { maximumWaitMinutes: '={{ "half an hour" }}' }],
		['First Poll After', { options: { firstPollDelaySeconds: '={{ "30 s" }}' } }],
		['Poll Interval', { options: { pollIntervalSeconds: '={{ null }}' } }],
	])('refuses a %s that is not a number', async (label, parameters) => {
		const { error } = await edits.run('waitForEdit', ['a'], parameters);
		expect(error?.message).toMatch(new RegExp(`'${label}.*' must be a number`));
		expect(edits.service.seen).toEqual([]);
	});

	it('reports a problem with the key once', async () => {
		edits.script = { '/v2/edits/a': [{ status: 401, body: { detail: 'no' } }] };
		const { error } = await edits.run('waitForEdit', ['a']);
		expect(error?.message).toMatch(/wait for edit a: the API key was not accepted/);
		expect(edits.service.seen).toHaveLength(1);
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
