import { randomUUID } from 'crypto';

import { type IBinaryData, sleep } from 'n8n-workflow';

import { type EditConfig, isFinalStatus } from '../../api/contract';
import { type LocalService, startLocalService } from '../support/localService';
import { startEngine, storeFile } from '../support/n8nEngine';
import { makeRecording } from '../support/recording';
import { type OtherOrigin, startOtherOrigin } from './otherOrigin';

/** The file or edit of each item; the middle one is the target. */
export const NAMES = ['before.wav', 'target.wav', 'after.wav'] as const;

/** What all cases share: the real service, another origin, and test material. */
export interface Stage {
	readonly service: LocalService;
	readonly otherOrigin: OtherOrigin;
	/** Short recordings in n8n's binary store, one for each of {@link NAMES}. */
	readonly recordings: readonly IBinaryData[];
	/** Finished edits of short recordings. No case deletes them. */
	readonly finishedEdits: readonly string[];
	/** Creates three edits for a case that deletes them. */
	newEdits(): Promise<string[]>;
	/** Creates an edit of a short recording, and does not wait for it. */
	runningEdit(): Promise<string>;
	/** Asks the service itself for an edit's status. */
	statusOf(editId: string): Promise<string>;
	/** Returns every edit id that the service reports as created. */
	createdByService(): string[];
	/** Edits created directly, not through a proxy. */
	readonly createdByHand: string[];
	stop(): Promise<void>;
}

/** A fast service, with limits wide enough for hundreds of cases, and links that outlast them. */
const SERVICE_FLAGS = [
	...['--clock-speed', '20'],
	...['--submissions-per-minute', '1000000', '--status-calls-per-minute', '1000000'],
	...['--upload-link-minutes', '600', '--download-link-minutes', '600'],
];

const RECORDING = makeRecording({ partsSeconds: [0.25] });

/** How the service of a stage differs from the one of docs/api.md. */
export interface StageSettings {
	/** More flags of the local service. */
	readonly flags?: readonly string[];
	/** More keys for the edits that the stage makes. */
	readonly config?: EditConfig;
}

/** Starts everything and makes the finished edits. */
export async function startStage({ flags = [], config }: StageSettings = {}): Promise<Stage> {
	await startEngine();
	const [service, otherOrigin] = await Promise.all([
		startLocalService([...SERVICE_FLAGS, ...flags]),
		startOtherOrigin(),
	]);
	const hands = new Hands(service, config);
	const recordings = NAMES.map(async (name) => await storeFile(RECORDING, name, 'audio/wav'));
	const finished = NAMES.map(async (name) => await hands.finishedEdit(name));
	return {
		service,
		otherOrigin,
		recordings: await Promise.all(recordings),
		finishedEdits: await Promise.all(finished),
		newEdits: async () =>
			await Promise.all(
				NAMES.map(async (name) => await hands.endedEdit(fileUrlFor(service, name))),
			),
		runningEdit: async () => await hands.runningEdit(),
		statusOf: async (editId) => await hands.statusOf(editId),
		createdByService: () =>
			service.log.flatMap((line) => /edit (\S+) PENDING/.exec(line)?.slice(1, 2) ?? []),
		createdByHand: hands.created,
		stop: async () => {
			otherOrigin.stop();
			await service.stop();
		},
	};
}

/**
 * Returns a file URL that the service cannot open. It creates and charges the edit like any other, but
 * the edit ends at once, so that hundreds of them cost no media work.
 */
export function fileUrlFor({ url }: Pick<LocalService, 'url'>, name: string): string {
	return `${url}/uploads/${randomUUID()}/${name}`;
}

/** Calls the service directly, to prepare a case and to check it afterwards. */
class Hands {
	readonly created: string[] = [];

	constructor(
		private readonly service: LocalService,
		private readonly config: EditConfig = {},
	) {}

	async runningEdit(): Promise<string> {
		return await this.create(await this.upload('running.wav'));
	}

	async finishedEdit(name: string): Promise<string> {
		const editId = await this.endedEdit(await this.upload(name));
		if ((await this.statusOf(editId)) !== 'SUCCESS') throw new Error(`Edit ${editId} failed`);
		return editId;
	}

	private async upload(name: string): Promise<string> {
		const link = (await this.call('POST', `/v2/upload?filename=${name}`)) as { signedUrl: string };
		await fetch(link.signedUrl, { method: 'PUT', body: new Uint8Array(RECORDING) });
		return link.signedUrl.split('?')[0];
	}

	async endedEdit(fileUrl: string): Promise<string> {
		const editId = await this.create(fileUrl);
		while (!isFinalStatus(await this.statusOf(editId))) await sleep(20);
		return editId;
	}

	private async create(fileUrl: string): Promise<string> {
		const config = { remove_noise: false, export_format: 'wav', ...this.config };
		const body = { input: { files: [fileUrl], config } };
		const { id } = (await this.call('POST', '/v2/edits', body)) as { id: string };
		this.created.push(id);
		return id;
	}

	async statusOf(editId: string): Promise<string> {
		const edit = (await this.call('GET', `/v2/edits/${editId}`)) as { status: string };
		return edit.status;
	}

	private async call(method: string, path: string, body?: object): Promise<unknown> {
		const { url, apiKey } = this.service;
		const headers = { 'X-API-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) };
		const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
		if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
		return await answer.json();
	}
}
