import { randomUUID } from 'crypto';

import { type IBinaryData, sleep } from 'n8n-workflow';

import type { Edit, EditConfig } from '../../api/contract';
import type { Dialect } from '../../testkit/service/fake/dialects';
import { startSpeaking } from '../../testkit/service/fake/speaking';
import { type LocalService, startLocalService } from '../../testkit/service/localService';
import { startEngine, storeFile } from '../../testkit/n8n/n8nEngine';
import { makeRecording } from '../../testkit/media/recording';
import { willChange } from './faultProxy';
import { Listener } from './listener';

/** The file or edit of each item; the middle one is the target. */
export const NAMES = ['before.wav', 'target.wav', 'after.wav'] as const;

/** A fast service, with limits wide enough for hundreds of cases, and links that outlast them. */
const SERVICE_FLAGS = [
	'--clock-speed',
	'20',
	'--submissions-per-minute',
	'1000000',
	'--status-calls-per-minute',
	'1000000',
	'--upload-link-minutes',
	'600',
	'--download-link-minutes',
	'600',
];

const RECORDING = makeRecording({ partsSeconds: [0.25] });

/** How the service of a stage differs from the one of docs/api.md. */
export interface StageSettings {
	readonly dialects?: readonly Dialect[];
	/** More flags of the local service. */
	readonly flags?: readonly string[];
	/** More keys for the edits that the stage makes. */
	readonly config?: EditConfig;
}

async function startServiceOf({ dialects, flags = [] }: StageSettings): Promise<LocalService> {
	const service = await startLocalService([...SERVICE_FLAGS, ...flags]);
	if (dialects === undefined) return service;
	const fake = await startSpeaking(dialects, service.url);
	const stop = async () => {
		await fake.stop();
		await service.stop();
	};
	return { ...service, url: fake.url, stop };
}

/**
 * Returns a file URL that the service cannot open. It creates and charges the edit like any other, but
 * the edit ends at once, so that hundreds of them cost no media work.
 */
export function fileUrlFor({ url }: Pick<LocalService, 'url'>, name: string): string {
	return `${url}/uploads/${randomUUID()}/${name}`;
}

/** What all cases share: the real service, another origin, and test material. */
export class Stage {
	/** Short recordings in n8n's binary store, one for each of {@link NAMES}. */
	recordings: readonly IBinaryData[] = [];

	/** Finished edits of short recordings. No case deletes them. */
	finishedEdits: readonly string[] = [];

	/** Edits created directly, not through a proxy. */
	readonly createdByHand: string[] = [];

	/** What reached the server that redirects point to: nothing, but downloads without the key. */
	readonly strays: object[] = [];

	/** It answers everything else with 200, as a thief of keys would. */
	private readonly other = new Listener(({ method, url, headers }, response) => {
		if (method === 'GET' && headers['x-api-key'] === undefined) {
			response.writeHead(404).end();
			return;
		}
		this.strays.push({ method, url, headers });
		response.end('{}');
	});

	private constructor(
		readonly service: LocalService,
		private readonly config: EditConfig,
	) {}

	/** Starts everything and makes the finished edits. */
	static async start(settings: StageSettings = {}): Promise<Stage> {
		await startEngine();
		const stage = new Stage(await startServiceOf(settings), settings.config ?? {});
		await stage.other.open();
		stage.recordings = await Promise.all(
			NAMES.map(async (name) => await storeFile(RECORDING, name, 'audio/wav')),
		);
		stage.finishedEdits = await Promise.all(
			NAMES.map(async (name) => await stage.endedEdit(await stage.upload(name), 'SUCCESS')),
		);
		return stage;
	}

	/** Where redirects point. */
	get otherOrigin(): string {
		return this.other.origin;
	}

	/** Creates three edits for a case that deletes them. */
	async newEdits(): Promise<string[]> {
		const urls = NAMES.map((name) => fileUrlFor(this.service, name));
		return await Promise.all(urls.map(async (url) => await this.endedEdit(url, 'FAILURE')));
	}

	/** Creates an edit of a short recording, and does not wait for it. */
	async runningEdit(): Promise<string> {
		return await this.create(await this.upload('running.wav'));
	}

	/** Asks the service itself for an edit's status. */
	async statusOf(editId: string): Promise<string> {
		return (await this.edit(editId)).status;
	}

	/** Returns every edit id that the service reports as created. */
	createdByService(): string[] {
		return this.service.log.flatMap((line) => /edit (\S+) PENDING/.exec(line)?.slice(1, 2) ?? []);
	}

	async stop(): Promise<void> {
		this.other.stop();
		await this.service.stop();
	}

	private async edit(editId: string): Promise<Edit> {
		return (await this.call('GET', `/v2/edits/${editId}`)) as Edit;
	}

	private async upload(name: string): Promise<string> {
		const link = (await this.call('POST', `/v2/upload?filename=${name}`)) as { signedUrl: string };
		await fetch(link.signedUrl, { method: 'PUT', body: new Uint8Array(RECORDING) });
		return link.signedUrl.split('?')[0];
	}

	private async endedEdit(fileUrl: string, wanted: string): Promise<string> {
		const editId = await this.create(fileUrl);
		let edit = await this.edit(editId);
		while (willChange(edit)) {
			await sleep(20);
			edit = await this.edit(editId);
		}
		if (edit.status !== wanted) throw new Error(`Edit ${editId} ended with ${edit.status}`);
		return editId;
	}

	private async create(fileUrl: string): Promise<string> {
		const config = { remove_noise: false, export_format: 'wav', ...this.config };
		const body = { input: { files: [fileUrl], config } };
		const { id } = (await this.call('POST', '/v2/edits', body)) as { id: string };
		this.createdByHand.push(id);
		return id;
	}

	private async call(method: string, path: string, body?: object): Promise<unknown> {
		const { url, apiKey } = this.service;
		const headers = { 'X-API-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) };
		const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
		if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
		return await answer.json();
	}
}
