import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { itemsOf, readFile, storeFile } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { fullResult } from '../../../testkit/service/fullResult';
import type { Answer, SeenRequest } from '../../../testkit/service/fake/scriptedService';
import { runOne, useService } from '../../../testkit/service/useService';
import { systemTime } from '../../../testkit/time/leapingTime';

/*
 * An item is handled as if it were alone: what a node makes of it depends on nothing in the items beside it. All
 * that a form takes from an item is another value here in each.
 */

useProcessedData();

let status = 'SUCCESS';
beforeEach(() => (status = 'SUCCESS'));

/** Answers about an edit or a file only by what the request names. */
function answer({ method, path, body }: SeenRequest): Answer {
	const [pathname] = path.split('?');
	const name = decodeURIComponent(pathname.split('/').at(-1) ?? '');
	if (pathname === '/v2/upload') {
		const fileName = new URL(path, service.url).searchParams.get('filename');
		return { body: { signedUrl: `${service.url}/put/${fileName}?signature=secret` } };
	}
	if (method === 'POST') {
		const [file] = /[^/"]+\.(wav|mp3)/.exec(body) ?? [];
		return { body: { id: `edit-of-${file}` } };
	}
	if (pathname.startsWith('/v2/edits/') && status === 'FAILURE') {
		return { body: { task_id: name, status, result: { message: `no sound in ${name}` } } };
	}
	if (pathname.startsWith('/v2/edits/')) {
		const { transcription, summarization, ...more } = fullResult(service.url);
		const result = {
			...more,
			transcription,
			summarization: { ...summarization, title: `About ${name}` },
			filename: `${name}.mp3`,
			download_url: `${service.url}/files/${name}`,
			timestamps_markers_urls: [],
			merged_audio_url: [],
		};
		return { body: { task_id: name, status, result } };
	}
	return { body: `content of ${name}`, headers: { 'Content-Type': 'audio/mpeg' } };
}

const service = useService(answer);

const COVER = Buffer.from('89504e470d0a1a0a', 'hex');

/** What only some items have: where the file is to be delivered, or that it came from Upload. */
const OWN: Record<string, IDataObject> = {
	ada: { config: { signed_url: 'https://bucket.example.com/ada.mp3?signature=x' } },
	barbara: { fileName: 'barbara.wav', sizeBytes: 12 },
};

/** One of several items that have nothing in common. */
async function itemOf(name: string): Promise<INodeExecutionData> {
	const agoMs = name.length * 1_000;
	const json = {
		name,
		editId: `edit-of-${name}.mp3`,
		sourceFileName: `${name}.wav`,
		fileUrl: `https://files.example.com/${name}.wav`,
		submittedAt: new Date(systemTime.timeOfDay() - agoMs).toISOString(),
		firstPollAfterSeconds: name.length,
		...OWN[name],
	};
	const binary = {
		[`file_${name}`]: await storeFile(Buffer.from(`RIFF ${name}`), `${name}.wav`, 'audio/wav'),
		[`cover_${name}`]: await storeFile(COVER, `${name}.png`, 'image/png'),
	};
	return { json, binary };
}

const TEXTS = {
	alsoReturn: ['subtitles', 'feed', 'chapters'],
	subtitles: ['subtitlesVtt'],
	chapters: ['chaptersJson'],
	feed: ['feedItem'],
	feedItem: { guid: '={{ $json.name }}', title: '={{ "On " + $json.name }}' },
};
const SPEAKERS = {
	speakers: { speaker: [{ label: 'Speaker 1', name: '={{ $json.name }}', role: 'host' }] },
	writeTags: { coverField: '={{ "cover_" + $json.name }}', season: '={{ $json.name.length }}' },
	keepInputFiles: true,
};
const FILE = '={{ "file_" + $json.name }}';
const CONFIG = {
	preset: 'fullAnalysis',
	options: {
		target_lufs: '={{ -10 - $json.name.length }}',
		normalize: true,
		additionalKeys: '={{ JSON.stringify({ of: $json.name }) }}',
		skipEdited: 'value',
		skipValue: '={{ $json.name }}',
	},
};

const NODES: Record<string, INodeParameters> = {
	upload: {
		binaryPropertyName: FILE,
		options: { fileName: '={{ "sent-" + $json.name + ".wav" }}' },
	},
	createEdit: CONFIG,
	waitForEdit: { options: { simplify: false, keepInputFiles: true } },
	getResult: {
		binaryPropertyName: '={{ "out_" + $json.name }}',
		...TEXTS,
		options: SPEAKERS,
	},
	audioEditing: {
		binaryPropertyName: FILE,
		...TEXTS,
		...CONFIG,
		options: { ...CONFIG.options, ...SPEAKERS, outputField: '={{ "out_" + $json.name }}' },
	},
	delete: {},
};

/** The time of the run, and the number of the item. */
const CHANGES = / \[item \d\]|\d{4}-\d\d-\d\dT[^"]*|<pubDate>[^<]*/g;

async function contentOf({ json, binary = {} }: INodeExecutionData) {
	const files = Object.entries(binary).map(async ([field, file]) => [
		field,
		file.fileName,
		file.mimeType,
		(await readFile(file)).toString(),
	]);
	return JSON.stringify([json, await Promise.all(files)]).replace(CHANGES, '');
}

let runs = 0;

/** What a node outputs for items, by any output, and its requests, in the order of their text. */
async function made(type: string, names: readonly string[]) {
	service.seen.length = 0;
	const items = await Promise.all(names.map(itemOf));
	// Each run is of another node, which remembers nothing.
	const settings = { onError: 'continueErrorOutput', id: `node-${++runs}` } as const;
	const { run } = await runOne(service, type, NODES[type], items, { settings });
	const outputs = [0, 1, 2, 3].map((output) => itemsOf(run, type, output));
	return {
		outputs: await Promise.all(outputs.map(async (out) => await Promise.all(out.map(contentOf)))),
		sent: service.seen.map(({ method, path, body }) => `${method} ${path} ${body}`).sort(),
	};
}

const NAMES = ['ada', 'barbara', 'grace'];

async function expectApart(type: string) {
	const alone = [];
	for (const name of NAMES) alone.push(await made(type, [name]));
	const together = await made(type, NAMES);
	for (const [output, out] of together.outputs.entries()) {
		expect(out).toEqual(alone.flatMap(({ outputs }) => outputs[output]));
	}
	expect(new Set(together.outputs.flat()).size).toBe(NAMES.length);
	expect(together.sent).toEqual(alone.flatMap(({ sent }) => sent).sort());
	return together.outputs.map(({ length }) => length);
}

it.each(Object.keys(NODES))('%s handles each of its items as if it were alone', async (type) => {
	const [done] = await expectApart(type);
	expect(done).toBe(NAMES.length);
});

it.each(['waitForEdit', 'getResult', 'audioEditing'])(
	'%s says of each failed edit what it would say if it were alone',
	async (type) => {
		status = 'FAILURE';
		const [done] = await expectApart(type);
		expect(done).toBe(0);
	},
);
