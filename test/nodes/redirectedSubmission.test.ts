import { useScriptedSubmissions } from '../support/scriptedSubmissions';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const submissions = useScriptedSubmissions();
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const LOCATION = '/v2/edits/edit-77?signature=abcdefgh';

describe.each([302, 303])('a submission answered with %d', (status) => {
	beforeEach(() => {
		submissions.service.answer = () => ({ status, headers: { Location: LOCATION } });
	});

	it('may have been accepted, and the error shows its target', async () => {
		const { error } = await submissions.create();
		expect(error?.message).toMatch(/another address \(source file 'a\.wav'\) \[item 0\]/);
		expect(error?.description).toMatch(/redirects to 127\.0\.0\.1:\d+\/v2\/edits\/edit-77\. /);
		expect(error?.description).toMatch(/may have accepted the edit. It was not sent again/);
		expect(`${error?.message} ${error?.description}`).not.toContain('abcdefgh');
	});

	it('is not resent by Retry On Fail, and the error still names the id', async () => {
		const { error } = await submissions.create({}, undefined, RETRY);
		expect(submissions.service.seen).toHaveLength(1);
		expect(error?.message).toMatch(/was not sent again.* \(source file 'a\.wav'\) \[item 0\]$/);
		expect(error?.description).toMatch(/^The earlier try: .*\/v2\/edits\/edit-77\. A second edit/);
	});
});

it.each([301, 307, 308])(
	'%d redirects the same request elsewhere: nothing was created',
	async (status) => {
		submissions.service.answer = () => ({ status, headers: { Location: LOCATION } });
		const { error } = await submissions.create();
		expect(error?.description).toContain('No edit was created.');
	},
);

it('names an id in an unreadable response even after Retry On Fail', async () => {
	submissions.service.answer = () => ({ body: { reference: 'edit-78' } });
	const { error } = await submissions.create({}, undefined, RETRY);
	expect(submissions.service.seen).toHaveLength(1);
	expect(error?.message).toMatch(/was not sent again/);
	expect(error?.description).toMatch(/^The earlier try: .*edit-78/);
});
