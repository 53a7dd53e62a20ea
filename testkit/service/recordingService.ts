import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { systemTime } from '../time/leapingTime';
import { storeFile } from '../n8n/n8nEngine';
import { FakeService } from './fake/fakeService';
import type { Answer, SeenRequest } from './fake/scriptedService';
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

/** A fake that edits every recording in its seconds. */
function fakeOf(seconds: Readonly<Record<string, number>>): FakeService {
	return new FakeService(systemTime, {
		lifeOf: (file) => [
			[0, 'EDITING'],
			[seconds[file] ?? 60, file.startsWith('broken') ? 'FAILURE' : 'SUCCESS'],
		],
		resultOf: ({ file }, link) => {
			const summarization = { title: `About ${file}`, summary: 'Short.' };
			return { filename: file, download_url: link, summarization };
		},
	});
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
		return service.fault(request, number) ?? fake.answer(request);
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
	/** Seconds from the submission to SUCCESS, by the name of the file; 60 for others. */
	const seconds: Record<string, number> = {};
	const fake = fakeOf(seconds);
	const { charged, uploaded, deleted } = fake;
	const service = Object.assign(used, {
		charged,
		uploaded,
		deleted,
		seconds,
		/** Called before each answer; what it returns is sent instead. */
		fault: noFault,
		begun,
		/** Runs Audio Editing, each time with another key. */
		edit,
	});
	beforeEach(() => {
		first = new Promise((resolve) => {
			announce = resolve;
		});
		fake.forget();
		fake.origin = service.url;
		for (const file of Object.keys(seconds)) delete seconds[file];
		service.fault = noFault;
	});
	return service;
}
