import type { INodeParameters } from 'n8n-workflow';

import { systemTime } from '../../../testkit/time/leapingTime';
import { runOne, useService } from '../../../testkit/service/useService';

const SIGNATURE = 'sig-that-nobody-may-see';
const LINK = `https://edits.example.com/review/edit-1?expires=9&signature=${SIGNATURE}`;
const HOUR_MS = 3_600_000;

/** When the review ends, and when its cuts are approved; in hours after the first poll. */
let review: { endsAfterHours?: number; approvedAfterHours: number };
let beganAtMs: number | undefined;

const service = useService(({ method }) => {
	if (method === 'POST') return { body: { id: 'edit-1', review_url: LINK } };
	const nowMs = systemTime.timeOfDay();
	beganAtMs ??= nowMs;
	if (nowMs >= beganAtMs + review.approvedAfterHours * HOUR_MS) {
		const result = { filename: 'talk-edited.mp3', download_url: `${service.url}/file` };
		return { body: { task_id: 'edit-1', status: 'SUCCESS', result } };
	}
	const { endsAfterHours } = review;
	const until = endsAfterHours && new Date(beganAtMs + endsAfterHours * HOUR_MS).toISOString();
	const said = { review_url: LINK, ...(until && { review_until: until }) };
	return { body: { task_id: 'edit-1', status: 'POSTPROCESSING', ...said } };
});

beforeEach(() => (beganAtMs = undefined));

async function run(type: string, parameters: INodeParameters = {}) {
	const items = [{ json: { fileUrl: 'https://files.example.com/talk.wav', editId: 'edit-1' } }];
	const form = type === 'audioEditing' ? { recordingFrom: 'url', files: { download: [] } } : {};
	return await runOne(service, type, { ...form, ...parameters }, items);
}

describe.each(['audioEditing', 'waitForEdit'])('%s, while a person reviews the cuts,', (type) => {
	it('waits until the review has ended and the edit is made, and the log says so', async () => {
		review = { endsAfterHours: 3, approvedAfterHours: 3.5 };
		const { out, error, log, hints } = await run(type);
		expect(error).toBeUndefined();
		expect(out[0].json).toMatchObject({ editId: 'edit-1', finished: true });
		const waits = log.filter((line) => JSON.stringify(line).includes('to approve its cuts'));
		expect(waits).toHaveLength(1);
		expect(JSON.stringify(waits)).toMatch(/waits until 2026-.*Z for a person .*service's own page/);
		expect(JSON.stringify([log, hints])).not.toContain(SIGNATURE);
	});

	it('fails at the limit that a person has set, and says where the link is', async () => {
		review = { endsAfterHours: 3, approvedAfterHours: 2 };
		const { said, log } = await run(type, { advanced: { maximumWaitMinutes: 60 } });
		expect(said).toMatch(/waits until 2026-.*Z for a person to approve its cuts/);
		expect(said).toContain("on the service's own page");
		expect(JSON.stringify([said, log])).not.toContain(SIGNATURE);
	});

	it('passes the link on in the item and the hint, and not in the log', async () => {
		review = { endsAfterHours: 3, approvedAfterHours: 2 };
		const advanced = { maximumWaitMinutes: 60, whenTimeIsUp: 'passOn' };
		const { out, hints, log } = await run(type, { advanced });
		expect(out[0].json).toMatchObject({ finished: false, reviewUrl: LINK });
		expect(hints.filter((hint) => hint.includes(LINK))).toEqual([
			expect.stringMatching(/^edit edit-1: waits until .* for a person to approve its cuts: http/),
		]);
		expect(JSON.stringify(log)).not.toContain(SIGNATURE);
	});

	it('keeps its usual limit where the service does not say when the review ends', async () => {
		review = { approvedAfterHours: 9 };
		const { said } = await run(type);
		expect(said).toContain('waits for a person to approve its cuts');
	});
});
