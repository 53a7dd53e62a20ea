import type { INodeParameters } from 'n8n-workflow';

import { inStatus, living, waitedEdits } from '../../../testkit/n8n/waitedEdits';
import { fileItem, useRecordingService } from '../../../testkit/service/recordingService';
import { runOne } from '../../../testkit/service/useService';

const service = useRecordingService();

/** The statuses of an edit as each poll sees it, and the seconds since the submission at which it does. */
const SEEN = ['PREPROCESSING', 'EDITING', 'EXPORT', 'SUCCESS'];

/** Returns the seconds of the polls of an edit that the service finishes at the fourth. */
async function pollsOf(parameters: INodeParameters, json = {}): Promise<number[]> {
	service.fault = (_request, number) => inStatus(SEEN[number - 1] ?? 'SUCCESS');
	const { out } = await runOne(service, 'waitForEdit', parameters, [
		{ json: { editId: 'a', ...json } },
	]);
	const history = out[0].json.history as Array<{ atSeconds: number }>;
	return history.map(({ atSeconds }) => Math.round(atSeconds));
}

describe('the polls of a service on this machine', () => {
	it('begin after 3 and 10 seconds', async () => {
		expect(await pollsOf({})).toEqual([3, 10, 20, 30]);
	});

	it('begin when the service asked for the first', async () => {
		expect(await pollsOf({}, { firstPollAfterSeconds: 12 })).toEqual([12, 22, 32, 42]);
	});

	it.each([30, 12])('begin after %i seconds if a person says so', async (seconds) => {
		const options = { firstPollDelaySeconds: seconds };
		const times = [0, 10, 20, 30].map((later) => seconds + later);
		expect(await pollsOf(options)).toEqual(times);
		expect((await pollsOf(options, { firstPollAfterSeconds: 3 }))[0]).toBe(seconds);
	});
});

describe('the polls of any other service', () => {
	const wait = async (item = {}) => {
		const { wait } = waitedEdits(['a'], living({ a: SEEN }), { item });
		const [{ json }] = (await wait()).finished;
		return (json.history as Array<{ atSeconds: number }>).map(({ atSeconds }) => atSeconds);
	};

	it('begin after 30 seconds', async () => {
		expect(await wait()).toEqual([30, 40, 50, 60]);
	});

	it.each([3, 45])('begin after %i seconds if it asked for that', async (seconds) => {
		const [first, second] = await wait({ firstPollAfterSeconds: seconds });
		expect([first, second]).toEqual([seconds, Math.max(10, seconds + (seconds > 10 ? 10 : 0))]);
	});

	it.each(['soon', '', null, -3, 0])('begin after 30 seconds if an item says %j', async (asked) => {
		expect((await wait({ firstPollAfterSeconds: asked }))[0]).toBe(30);
	});
});

describe('what a service asks for when it creates an edit', () => {
	const asking = (retryAfter: string) => {
		service.fault = ({ method, path }) =>
			method === 'POST' && path === '/v2/edits'
				? { body: { id: 'edit-1' }, headers: { 'Retry-After': retryAfter } }
				: undefined;
	};

	it.each([
		['17', { firstPollAfterSeconds: 17 }],
		['0', {}],
		['later', {}],
	])('Create Edit outputs: %s', async (retryAfter, expected) => {
		asking(retryAfter);
		const items = [{ json: { fileUrl: 'https://files.example.com/a.wav' } }];
		const { out } = await runOne(service, 'createEdit', {}, items);
		const { firstPollAfterSeconds } = out[0].json;
		expect({ ...(firstPollAfterSeconds !== undefined && { firstPollAfterSeconds }) }).toEqual(
			expected,
		);
	});

	it('Audio Editing keeps to', async () => {
		asking('17');
		const { out } = await service.edit([await fileItem('a.wav')], {
			maximumWaitMinutes: 1,
			whenTimeIsUp: 'passOn',
		});
		expect(out[0].json.edit).toMatchObject({ history: [{ status: 'PENDING', atSeconds: 17 }] });
	});
});
