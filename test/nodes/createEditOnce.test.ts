import { failureOf } from '../support/failures';
import { itemsOf } from '../support/n8nEngine';
import type { Answer } from '../support/scriptedService';
import { useScriptedSubmissions } from '../support/scriptedSubmissions';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const submissions = useScriptedSubmissions();

describe('one bad item', () => {
	const bad = (number: number): Answer =>
		number === 2
			? {
					status: 422,
					body: { detail: [{ loc: ['body', 'input', 'files', 0], msg: 'no', type: 'x' }] },
				}
			: { body: { id: `edit-${number}` } };
	const items = ['a', 'b', 'c'].map((name) => ({ fileUrl: `https://f.example.com/${name}.wav` }));

	beforeEach(() => {
		let calls = 0;
		submissions.service.answer = () => bad(++calls);
	});

	it('goes to the error output while the other items continue', async () => {
		const { run } = await submissions.create({}, items, { onError: 'continueErrorOutput' });
		expect(itemsOf(run, 'createEdit', 0).map(({ json }) => json.editId)).toEqual([
			'edit-1',
			'edit-3',
		]);
		const [failed] = itemsOf(run, 'createEdit', 1);
		expect(failureOf(failed)).toMatchObject({
			message: expect.stringMatching(/\(source file 'b\.wav'\) \[item 1\]$/),
			httpCode: '422',
		});
		expect(failed.pairedItem).toEqual({ item: 1 });
	});
});

describe('never twice', () => {
	const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const items = [
		{ fileUrl: 'https://f.example.com/a.wav' },
		{ fileUrl: 'https://f.example.com/b.wav' },
	];

	it('Retry On Fail submits only what was not accepted', async () => {
		let calls = 0;
		submissions.service.answer = () => {
			calls += 1;
			return calls === 2
				? { status: 409, body: { detail: 'busy' } }
				: { body: { id: `edit-${calls}` } };
		};
		const { out, bodies } = await submissions.create({}, items, RETRY);
		expect(out.map(({ json }) => json.editId)).toEqual(['edit-1', 'edit-3']);
		expect(bodies.map(({ input }) => input.files[0])).toEqual([
			items[0].fileUrl,
			items[1].fileUrl,
			items[1].fileUrl,
		]);
	});

	it('a submission that may have been accepted is not repeated, not even by Retry On Fail', async () => {
		submissions.service.answer = () => ({ cut: true });
		const { error } = await submissions.create({}, [items[0]], RETRY);
		expect(submissions.service.seen).toHaveLength(1);
		expect(error?.message).toMatch(/not sent again/);
	});

	it('names what was charged even if the last try refuses to resend', async () => {
		let calls = 0;
		submissions.service.answer = () =>
			++calls === 2 ? { status: 500 } : { body: { id: `edit-${calls}` } };
		const { error } = await submissions.create({}, items, RETRY);
		expect(submissions.service.seen).toHaveLength(2);
		expect(error?.message).toMatch(/not sent again/);
		expect(error?.description).toContain('charged: edit-1.');
	});

	it('retries a submission refused with 429', async () => {
		let calls = 0;
		submissions.service.answer = () => {
			calls += 1;
			return calls < 3
				? { status: 429, body: { error: { code: 'E9001', message: 'slow down' } } }
				: { body: { id: 'edit-1' } };
		};
		const { out } = await submissions.create();
		expect(out[0].json.editId).toBe('edit-1');
		expect(submissions.service.seen).toHaveLength(3);
	});
});
