import { randomUUID } from 'node:crypto';

import {
	accountSchema,
	configurationsSchema,
	editCreationSchema,
	editSchema,
	uploadSchema,
	validationErrorSchema,
} from '../../service/shared/contract.mts';
import { WIRE } from '../../.ci/openapi/wire.ts';
import { lengthSeconds, makeRecording } from '../media/recording.ts';
import type { Calls } from './calls.mts';
import { type Rhythm, waitForEnd } from './polling.mts';
import { type Outcome, Trial } from './trial.mts';

const RECORDING = { partsSeconds: [2, 2, 2] };

/** How long the sound is that the edit is charged for. */
export const LENGTH_SECONDS = lengthSeconds(RECORDING);

/** Meets many shapes for the price of one short edit. */
const CONFIG = { normalize: true, transcription: true, export_timestamps: true };

/** Tries everything, in the order of a client. Deletes the edit also if a step throws. */
export async function runSteps(
	calls: Calls,
	rhythm: Rhythm,
	say: (line: string) => void,
): Promise<Outcome> {
	const trial = new Trial(calls, say);
	let editId: string | undefined;
	try {
		await free(trial);
		const creditBefore = await credit(trial);
		const fileUrl = await upload(trial);
		if (fileUrl !== undefined) editId = await create(trial, fileUrl);
		if (editId !== undefined) {
			await waitForEnd(trial, editId, rhythm);
			trial.cost(creditBefore, await credit(trial));
		}
	} catch (error) {
		trial.broke(error);
	} finally {
		if (editId !== undefined) await remove(trial, editId);
	}
	return trial.outcome;
}

/** What costs nothing and changes nothing. */
async function free(trial: Trial): Promise<void> {
	for (const to of ['/', '/ping', '/health']) await trial.call(`GET ${to}`, { method: 'GET', to });
	const list = { method: 'GET', to: '/v2/configurations' };
	await trial.call('GET /v2/configurations', list, {
		schema: configurationsSchema,
		wire: WIRE.ConfigurationsResponse,
	});
	const unknown = { method: 'GET', to: `/v2/edits/${randomUUID()}` };
	const reading = { schema: editSchema, wire: WIRE.Edit };
	const answer = await trial.call('GET of an unknown edit', unknown, reading);
	const { status } = editSchema.safeParse(answer.body).data ?? {};
	if (status !== 'PENDING') trial.find('GET of an unknown edit', `reads ${status ?? 'nothing'}`);
	const wrongKey = { method: 'GET', to: '/v1/account', key: randomUUID() };
	await trial.call('GET /v1/account with a wrong key', wrongKey, { status: 401 });
	const empty = { method: 'POST', to: '/v2/edits', json: { input: { files: [] } } };
	await trial.call('POST /v2/edits without a file', empty, {
		status: 422,
		schema: validationErrorSchema,
		wire: WIRE.ValidationError,
	});
}

async function credit(trial: Trial): Promise<number | undefined> {
	const call = { method: 'GET', to: '/v1/account' };
	const reading = { schema: accountSchema, wire: WIRE.Account };
	const { body } = await trial.call('GET /v1/account', call, reading);
	return accountSchema.safeParse(body).data?.credit.total;
}

/** Returns the file URL. */
async function upload(trial: Trial): Promise<string | undefined> {
	const ask = { method: 'POST', to: '/v2/upload?filename=contract-check.wav' };
	const reading = { schema: uploadSchema, wire: WIRE.Upload };
	const { body } = await trial.call('POST /v2/upload', ask, reading);
	const link = uploadSchema.safeParse(body).data?.signedUrl;
	if (link === undefined) return undefined;
	const put = { method: 'PUT', to: link, file: makeRecording(RECORDING) };
	const { status, sizeBytes } = await trial.call('PUT of the file', put, {});
	if (sizeBytes > 0) trial.find('PUT of the file', `answers with ${sizeBytes} bytes`);
	return status < 300 ? link.split('?')[0] : undefined;
}

async function create(trial: Trial, fileUrl: string): Promise<string | undefined> {
	const input = { files: [fileUrl], config: CONFIG, upload_type: 'singletrack' };
	const reading = { schema: editCreationSchema, wire: WIRE.EditCreation };
	const call = { method: 'POST', to: '/v2/edits', json: { input } };
	const { status, body } = await trial.call('POST /v2/edits', call, reading);
	return status < 300 ? editCreationSchema.safeParse(body).data?.id : undefined;
}

async function remove(trial: Trial, editId: string): Promise<void> {
	const to = `/v2/edits/${encodeURIComponent(editId)}`;
	try {
		await trial.call('DELETE of the edit', { method: 'DELETE', to });
		const { body } = await trial.call('GET of the deleted edit', { method: 'GET', to });
		const { status } = editSchema.safeParse(body).data ?? {};
		if (status !== 'PENDING') trial.find('GET of the deleted edit', `reads ${status ?? 'nothing'}`);
	} catch (error) {
		trial.broke(error);
		trial.find('DELETE of the edit', `edit ${editId} may be left: delete it by hand`);
	}
}
