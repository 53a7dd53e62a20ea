import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { expectToFit } from '../../../testkit/n8n/outputSchemas';
import { FILE } from '../../../testkit/service/scriptedSubmissions';
import type { Reply } from '../../../testkit/service/fake/scriptedService';
import { runOne, useService } from '../../../testkit/service/useService';

const SIGNATURE = 'sig-that-nobody-may-see';
const LINK = `https://edits.example.com/review/edit-1?expires=9&signature=${SIGNATURE}`;
const OTHER = `${LINK}&later=1`;

/** What the service answers to each request, by method and path. */
let answers: Record<string, (number: number) => Reply> = {};
const service = useService(
	({ method, path }, number) => answers[`${method} ${path}`]?.(number) ?? { status: 404, body: {} },
);

const run = async (type: string, parameters: INodeParameters = {}, items = 1, settings = {}) => {
	const itemOf = (_item: unknown, index: number) => ({
		json: { fileUrl: `${FILE}?${index}`, editId: 'edit-1' } as IDataObject,
	});
	return await runOne(service, type, parameters, Array.from({ length: items }, itemOf), {
		settings,
	});
};

const created = (review_url: unknown) => ({
	'POST /v2/edits': () => ({ body: { id: 'edit-1', review_url } }),
});

it('Create Edit puts out the link for the review, and nothing else has it', async () => {
	answers = created(LINK);
	const { out, log, hints, run: ended } = await run('createEdit');
	expect(out[0].json.reviewUrl).toBe(LINK);
	expectToFit({ type: 'createEdit' }, out[0].json);
	out[0].json.reviewUrl = '';
	expect(JSON.stringify([log, hints, ended.data])).not.toContain(SIGNATURE);
	expect(JSON.stringify(ended.data.executionData?.contextData)).toContain('"isReviewed":true');
});

it('Create Edit puts out no link where the service has none, or something else', async () => {
	for (const other of [undefined, null, 7, 'edits.example.com', 'javascript:alert(1)']) {
		answers = created(other);
		const { out } = await run('createEdit');
		expect(out[0].json).not.toHaveProperty('reviewUrl');
	}
});

it('an answer without an edit ID is quoted without the signature', async () => {
	answers = { 'POST /v2/edits': () => ({ body: { review_url: LINK } }) };
	const { said, log, run: ended } = await run('createEdit');
	expect(said).toContain('no edit ID');
	expect(JSON.stringify([said, log, ended.data])).not.toContain(SIGNATURE);
});

describe('after Retry On Fail', () => {
	const again = async (edit: Reply) => {
		let submissions = 0;
		answers = {
			'POST /v2/edits': () => {
				submissions += 1;
				const body = { id: `edit-${submissions}`, review_url: LINK };
				return submissions === 2 ? { status: 402, body: {} } : { body };
			},
			'GET /v2/edits/edit-1': () => edit,
		};
		const retries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		return await run('createEdit', {}, 2, retries);
	};

	it('the link comes from the service', async () => {
		const { out } = await again({ body: { status: 'POSTPROCESSING', review_url: OTHER } });
		expect(out.map(({ json }) => json.reviewUrl)).toEqual([OTHER, LINK]);
	});

	it('a hint says that the service did not have it', async () => {
		const { out, hints } = await again({ status: 404, body: { detail: 'Not Found' } });
		expect(out[0].json).not.toHaveProperty('reviewUrl');
		expect(hints).toEqual([
			'The review link of edit edit-1 could not be read. Look for it on the service.',
			'2 submitted',
		]);
	});
});

it('Audio Editing puts it out while the edit waits', async () => {
	const waiting = { task_id: 'edit-1', status: 'POSTPROCESSING', review_url: OTHER };
	answers = { ...created(LINK), 'GET /v2/edits/edit-1': () => ({ body: waiting }) };
	const parameters = { recordingFrom: 'url', advanced: { whenTimeIsUp: 'passOn' } };
	const { out, log } = await run('audioEditing', { ...parameters, maximumWaitMinutes: 2 });
	expect(out[0].json).toMatchObject({ editId: 'edit-1', finished: false, reviewUrl: OTHER });
	expect(JSON.stringify(log)).not.toContain(SIGNATURE);
});

it('Wait For Edit says in the words of the service that nobody came', async () => {
	const message =
		'Nobody approved the cuts within 24 hours (--review-ends fail). Create the edit again, and open its link in time, or start the service with --review-ends approve';
	const body = { task_id: 'edit-1', status: 'FAILURE', result: { message } };
	answers = { 'GET /v2/edits/edit-1': () => ({ body }) };
	const { said } = await run('waitForEdit');
	expect(said).toContain(' could not be edited: Nobody approved the cuts within 24 hours');
	expect(said).toContain(message);
});
