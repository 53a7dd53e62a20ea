import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { systemTime } from '../time/leapingTime';
import { storeFile } from '../n8n/n8nEngine';
import type { Answer, SeenRequest } from './scriptedService';
import { type UsedService, runOne, useService } from './useService';

/** How to run Audio Editing, besides its parameters. */
type Settings = NonNullable<Parameters<typeof runOne>[4]> & {
	/** Stops the execution this long after the first request, and then waits until the node has ended, too. */
	readonly stopAfterSeconds?: number;
};

/** A service that edits every recording in a minute of the leaping clock, and counts what it charges. */
export type RecordingService = ReturnType<typeof useRecordingService>;

/** An item with a recording in a field. */
export async function fileItem(
	name: string,
	json = {},
	field = 'data',
): Promise<INodeExecutionData> {
	const binary = await storeFile(Buffer.from(`RIFF ${name}`), name, 'audio/wav');
	return { json, binary: { [field]: binary } };
}

/** Several such items. */
export const fileItems = async (...names: string[]): Promise<INodeExecutionData[]> =>
	await Promise.all(names.map(async (name) => await fileItem(name)));

/** An item with a recording at a URL. */
export const urlItem = (name: string): INodeExecutionData => ({
	json: { fileUrl: `https://files.example.com/${name}` },
});

interface Job {
	readonly file: string;
	readonly submittedAtMs: number;
}

function resultOf(url: string, id: string, file: string): object {
	const summarization = { title: `About ${file}`, summary: 'Short.' };
	return { filename: file, download_url: `${url}/files/${id}`, summarization };
}

/**
 * Runs Audio Editing. A name instead of an item is a recording at a URL; then the form says so.
 *
 * @param begun resolves when the first request has come
 */
async function editRecordings(
	access: { url: string; apiKey: string },
	begun: () => Promise<void>,
	items: ReadonlyArray<string | INodeExecutionData>,
	parameters: INodeParameters = {},
	{ stopAfterSeconds, ...more }: Settings = {},
) {
	const given = items.map((item) => (typeof item === 'string' ? urlItem(item) : item));
	const from = given.some((item) => items.includes(item)) ? {} : { recordingFrom: 'url' };
	const onStart = (stop: () => void) =>
		void begun()
			.then(async () => await systemTime.sleep((stopAfterSeconds ?? 0) * 1_000))
			.then(stop);
	const ended = await runOne(access, 'audioEditing', { ...from, ...parameters }, given, {
		...(stopAfterSeconds !== undefined && { onStart }),
		...more,
	});
	// A stopped execution does not wait for its node.
	if (stopAfterSeconds !== undefined) await systemTime.sleep(120_000);
	return ended;
}

/** Returns what a service answers that edits every recording in the seconds of `service`. */
function jobsOf(service: {
	readonly url: string;
	readonly charged: string[];
	readonly seconds: Readonly<Record<string, number>>;
}) {
	const jobs = new Map<string, Job>();
	const create = (body: string): Answer => {
		const { input } = JSON.parse(body) as { input: { files: string[] } };
		const [file] = input.files.map((url) => url.split('/').at(-1)!);
		const id = `edit-${service.charged.push(file)}`;
		jobs.set(id, { file, submittedAtMs: systemTime.now() });
		return { body: { id } };
	};
	const read = (id: string): Answer => {
		const job = jobs.get(id);
		if (job === undefined) return { body: { task_id: id, status: 'PENDING' } };
		const { file, submittedAtMs } = job;
		const isDone = systemTime.now() - submittedAtMs >= (service.seconds[file] ?? 60) * 1_000;
		if (!isDone) return { body: { task_id: id, status: 'EDITING' } };
		if (file.startsWith('broken')) return { body: { task_id: id, status: 'FAILURE' } };
		return { body: { task_id: id, status: 'SUCCESS', result: resultOf(service.url, id, file) } };
	};
	/** The service reports an edit that it no longer has as PENDING. */
	const remove = (id: string) => jobs.delete(id);
	return { create, read, remove };
}

/**
 * Starts n8n's engine and the service for the tests of a file; each test begins with a new account. It
 * reads the clock of `leapingTime`.
 */
export function useRecordingService() {
	let announce = () => {};
	let first = Promise.resolve();
	const used: UsedService = useService((request, number) => {
		announce();
		return service.fault(request, number) ?? answer(request);
	});
	let runs = 0;
	const noFault: (request: SeenRequest, number: number) => Answer | undefined = () => undefined;
	/**
	 * Resolves when the first request has come. Begin a sleep until Stop there: while n8n still loads the
	 * node, the leaping clock would leap to the end of it.
	 */
	const begun = async () => await first;
	const edit = async (
		items: ReadonlyArray<string | INodeExecutionData>,
		parameters?: INodeParameters,
		settings?: Settings,
	) => {
		const access = { url: used.url, apiKey: `edit-${++runs}` };
		return await editRecordings(access, begun, items, parameters, settings);
	};
	const service = Object.assign(used, {
		/** The first file of each edit that was charged, in order. */
		charged: [] as string[],
		/** The names of the files that were uploaded, in order. */
		uploaded: [] as string[],
		deleted: [] as string[],
		/** Seconds from the submission to SUCCESS, by the name of the file; 60 for others. */
		seconds: {} as Record<string, number>,
		/** Called before each answer; what it returns is sent instead. */
		fault: noFault,
		begun,
		/** Runs Audio Editing, each time with another key. */
		edit,
	});
	const { create, read, remove } = jobsOf(service);
	const answer = ({ method, path, body }: SeenRequest): Answer => {
		const { pathname, searchParams } = new URL(path, 'http://x');
		const id = pathname.split('/').at(-1)!;
		switch (`${method} ${pathname.replace(/[^/]+$/, '')}`) {
			case 'POST /v2/':
				if (id !== 'upload') return create(body);
				return {
					body: { signedUrl: `${service.url}/put/${searchParams.get('filename')}?sig=1` },
				};
			case 'PUT /put/':
				service.uploaded.push(id);
				return {};
			case 'GET /v2/edits/':
				return read(id);
			case 'GET /files/':
				return { body: `edited ${id}`, headers: { 'Content-Type': 'audio/wav' } };
			default:
				service.deleted.push(id);
				remove(id);
				return { body: {} };
		}
	};
	beforeEach(() => {
		first = new Promise((resolve) => {
			announce = resolve;
		});
		for (const list of [service.charged, service.deleted, service.uploaded]) list.length = 0;
		service.seconds = {};
		service.fault = noFault;
	});
	return service;
}
