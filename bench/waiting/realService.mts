import { editCreationSchema, editSchema } from '../../api/contract/edit.ts';
import { isFinalStatus } from '../../api/contract/statuses.ts';
import { failed, type Result, success } from '../../api/failure.ts';
import { startLocalService, type LocalService } from '../../test/support/localService.ts';
import { makeRecording } from '../../test/support/recording.ts';
import { systemTime, TIME_SPEED } from '../../test/support/scaledTime.ts';
import { RateLimit } from '../../waiting/rateLimit.ts';
import { DEFAULT_POLL_RULES } from '../../waiting/schedule.ts';
import { WaitLoop } from '../../waiting/waitForEdits.ts';
import { mean } from './ideal.mts';

/** What the loop did against the real local service. */
export interface RealResult {
	edits: number;
	lost: number;
	refusals: number;
	/** Service seconds from the end of an edit to our learning of it, on average. */
	meanLagSeconds: number;
	/** When the last end was learned ÷ when the last edit ended, both from the first submission. */
	wallRatio: number;
}

const FLAGS = ['--clock-speed', String(TIME_SPEED), '--submissions-per-minute', '100000'];
const SLOWLY = ['--minimum-state-seconds', '5', '--concurrency', '10'];
const RECORDING = makeRecording({ partsSeconds: [0.5, 0.2, 0.5] });

/** Waits for real edits at the real service, whose clock and ours run many times as fast. */
export async function runOnRealService(edits: number): Promise<RealResult> {
	const endedAtMs = new Map<string, number>();
	const service = await startLocalService([...FLAGS, ...SLOWLY], (line) => {
		const ended = /edit (\S+) SUCCESS/.exec(line);
		if (ended) endedAtMs.set(ended[1], systemTime.now());
	});
	try {
		const beganAtMs = systemTime.now();
		const fileUrl = await upload(service);
		const ids: string[] = [];
		for (let index = 0; index < edits; index++) ids.push(await submit(service, fileUrl));
		return await wait(service, ids, endedAtMs, beganAtMs);
	} finally {
		await service.stop();
	}
}

async function wait(
	service: LocalService,
	ids: readonly string[],
	endedAtMs: ReadonlyMap<string, number>,
	beganAtMs: number,
): Promise<RealResult> {
	const foundAtMs = new Map<string, number>();
	let refusals = 0;
	const loop = new WaitLoop(
		ids.map((editId) => ({ editId, submittedAtMs: beganAtMs })),
		DEFAULT_POLL_RULES,
		{
			time: systemTime,
			rateLimit: new RateLimit({ callsPerMinute: 300, burst: 60 }),
			client: {
				getEditOnce: async (editId) => {
					const result = await getEdit(service, String(editId));
					if (!result.ok && result.failure.status === 429) refusals += 1;
					return result;
				},
			},
			onStatus: ({ editId }, { status }) => {
				if (isFinalStatus(status)) foundAtMs.set(editId, systemTime.now());
			},
		},
	);
	await loop.run();
	const lagsMs = ids.map((id) => (foundAtMs.get(id) ?? Infinity) - (endedAtMs.get(id) ?? 0));
	const lastMs = (times: Iterable<number>) => Math.max(...times) - beganAtMs;
	return {
		edits: ids.length,
		lost: ids.length - foundAtMs.size,
		refusals,
		meanLagSeconds: mean(lagsMs) / 1_000,
		wallRatio: lastMs(foundAtMs.values()) / lastMs(endedAtMs.values()),
	};
}

async function getEdit(
	{ url, apiKey }: LocalService,
	editId: string,
): Promise<Result<ReturnType<typeof editSchema.parse>>> {
	const answer = await fetch(`${url}/v2/edits/${editId}`, { headers: { 'X-API-Key': apiKey } });
	if (answer.ok) return success(editSchema.parse(await answer.json()));
	return failed({
		kind: 'status',
		status: answer.status,
		request: 'GET /v2/edits/{edit_id}',
		wasSent: true,
		target: 'service',
	});
}

async function upload({ url, apiKey }: LocalService): Promise<string> {
	const headers = { 'X-API-Key': apiKey };
	const answer = await fetch(`${url}/v2/upload?filename=a.wav`, { method: 'POST', headers });
	const { signedUrl } = (await answer.json()) as { signedUrl: string };
	await fetch(signedUrl, { method: 'PUT', body: RECORDING });
	return signedUrl.split('?')[0];
}

async function submit({ url, apiKey }: LocalService, fileUrl: string): Promise<string> {
	const body = JSON.stringify({ input: { files: [fileUrl], config: { remove_noise: false } } });
	const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
	const answer = await fetch(`${url}/v2/edits`, { method: 'POST', headers, body });
	return editCreationSchema.parse(await answer.json()).id;
}
