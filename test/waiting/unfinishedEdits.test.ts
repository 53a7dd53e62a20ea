import type { Edit } from '../../api/contract';
import { failed, success } from '../../api/failure';
import { PolledEdit } from '../../waiting/polledEdit';
import { RateLimit } from '../../waiting/rateLimit';
import { UnfinishedEdits } from '../../waiting/unfinishedEdits';
import type { Timeline } from '../../testkit/service/fake/timeline';
import { pollFailure, simulatedWait } from '../../testkit/service/fake/simulatedService';

const DEADLINE_MS = 2_000_000;

/** Edits that are due at once. */
function setUp(count: number) {
	const edits = Array.from(
		{ length: count },
		(_, n) => new PolledEdit({ editId: `${n}`, submittedAtMs: n }, 0, 0, DEADLINE_MS),
	);
	return { edits, unfinished: new UnfinishedEdits(edits) };
}

describe('only an edit', () => {
	it('that is due and not in flight is next', () => {
		const { edits, unfinished } = setUp(3);
		edits[0].isInFlight = true;
		edits[1].nextPollAtMs = 1_001;
		expect(unfinished.next(1_000)).toBe(edits[2]);
		edits[2].isInFlight = true;
		expect(unfinished.next(1_000)).toBeUndefined();
		expect(unfinished.next(1_001)).toBe(edits[1]);
	});

	it('whose time is up comes before the next poll that the rate limit allows', () => {
		const { edits, unfinished } = setUp(2);
		for (const edit of edits) edit.nextPollAtMs = DEADLINE_MS + 5_000;
		expect(unfinished.nextTurnAtMs(0, 0)).toBe(DEADLINE_MS);
		expect(unfinished.late(DEADLINE_MS - 1)).toEqual([]);
		edits[1].isInFlight = true;
		expect(unfinished.late(DEADLINE_MS)).toEqual([edits[0]]);
		// Its time is up already, so only its next poll counts.
		expect(unfinished.nextTurnAtMs(DEADLINE_MS, 0)).toBe(DEADLINE_MS + 5_000);
	});

	it('that is not in flight counts for the time of the next poll', () => {
		const { edits, unfinished } = setUp(3);
		[1_000, 3_000, 5_000].forEach((atMs, place) => (edits[place].nextPollAtMs = atMs));
		expect(unfinished.nextTurnAtMs(0, 0)).toBe(1_000);
		edits[0].isInFlight = true;
		expect(unfinished.nextTurnAtMs(0, 0)).toBe(3_000);
		expect(unfinished.nextTurnAtMs(0, 4_000)).toBe(4_000);
		edits[1].isInFlight = edits[2].isInFlight = true;
		expect(unfinished.nextTurnAtMs(0, 0)).toBe(Infinity);
	});

	it('that was not removed is unfinished', () => {
		const { edits, unfinished } = setUp(2);
		unfinished.remove(edits[0]);
		expect([unfinished.size, unfinished.all()]).toEqual([1, [edits[1]]]);
		unfinished.add(edits[0]);
		expect([unfinished.size, unfinished.all()]).toEqual([2, [edits[1], edits[0]]]);
	});
});

it('an edit whose polls fail does not take the turns of the others', () => {
	const { edits, unfinished } = setUp(2);
	edits[0].learn(failed<Edit>(pollFailure('broken')), 900_000, 900_000);
	edits[1].learn(success({ task_id: '1', status: 'PENDING' }), 800_000, 800_000);
	expect(unfinished.next(1_000_000)).toBe(edits[1]);
});

/** Edits of the same life, by ID. */
const named = (name: string, count: number, life: Timeline) =>
	Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}`, life]));

/** Seconds from each edit's end until the wait, at 60 polls a minute, saw it, by ID. */
async function lagsOf(timelines: Readonly<Record<string, Timeline>>) {
	const rateLimit = new RateLimit({ callsPerMinute: 60, burst: 12 });
	const { service, wait } = simulatedWait(timelines, { rateLimit });
	const reports = await wait({ maxWaitMs: 1_500_000 });
	const ended = reports.filter(({ end }) => end === 'succeeded');
	const lags = ended.map(({ editId, history }) => {
		const endSeconds = timelines[editId].at(-1)![0];
		return [editId, history.at(-1)!.atSeconds - endSeconds] as const;
	});
	expect(service.refusals).toBe(0);
	expect(service.busiestMinute()).toBeLessThanOrEqual(60);
	return new Map(lags);
}

describe('when the rate limit is too low to ask about every edit each 10 s', () => {
	it('the end of an edit at work is seen as soon as if there were no queue', async () => {
		const lags = await lagsOf({
			...named('queued', 200, [[100_000, 'SUCCESS']]),
			...named('working', 4, [
				[0, 'EDITING'],
				[905, 'SUCCESS'],
			]),
		});
		const longest = Math.max(...Array.from({ length: 4 }, (_, n) => lags.get(`working${n}`)!));
		expect(longest).toBeLessThanOrEqual(12);
	});

	it('the end of a PENDING edit is seen, however long others stay at work', async () => {
		// A fourth of 60 polls a minute is for all 80 in turn, so each waits at most 320 s.
		const lags = await lagsOf({
			...named('stuck', 60, [[0, 'EDITING']]),
			...named('sudden', 20, [[600, 'SUCCESS']]),
		});
		expect(lags.size).toBe(20);
		expect(Math.max(...lags.values())).toBeLessThanOrEqual(325);
	});

	it('no edit waits much longer than another for its next poll', async () => {
		const lags = await lagsOf(named('e', 200, [[600, 'SUCCESS']]));
		// 200 polls take 200 s.
		expect(lags.size).toBe(200);
		expect(Math.max(...lags.values())).toBeLessThanOrEqual(215);
	});
});
