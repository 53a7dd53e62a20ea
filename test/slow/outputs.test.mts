/**
 * Nothing is charged for what cannot be had: every preset and every field of the configuration with every
 * output. What an edit really has, the local service says.
 */
import '../../testkit/process/environment.ts';

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import type { IDataObject, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { assertBar, count } from '../../testkit/measure/bars.mts';
import { CONFIG_FIELDS } from '../../nodes/core/config/keyGroups.ts';
import { PRESETS } from '../../nodes/core/config/presets.ts';
import { FORMAT_OPTIONS } from '../../nodes/core/fetch/texts/formatFields.ts';
import { convertedTo } from '../../testkit/service/media.mts';
import { startOpenAiServer } from '../../testkit/service/openAiServer.mts';
import { startOutsideServer } from '../../testkit/service/servers.mts';
import { type ServiceAccess, chain, credentialFor } from '../../testkit/n8n/chain.ts';
import { groupedFormats } from '../../testkit/n8n/grouped.ts';
import { startLocalService } from '../../testkit/service/localService.ts';
import { itemsOf, runWorkflow, startEngine } from '../../testkit/n8n/n8nEngine.ts';
import { OUR_CREDENTIALS, OUR_NODES } from '../../testkit/n8n/ourNodes.ts';
import { startScriptedService } from '../../testkit/service/fake/scriptedService.ts';

const NODE = 'audioEditing';

/** Twenty seconds of sentences, as a recognizer hears them: long enough for a soundbite. */
const WORDS = Array.from({ length: 40 }, (_, index) => ({
	word: index % 10 === 9 ? `word${index}.` : `word${index}`,
	start: index / 2,
	end: index / 2 + 0.4,
}));
const SPOKEN = { text: WORDS.map(({ word }) => word).join(' '), duration: 20, words: WORDS };

const minute = await readFile(join(import.meta.dirname, '..', '..', 'demo', 'recording.mp3'));
const sound = await convertedTo(minute, 'mp3', '-t', '20');
const PICTURE = ['-f', 'lavfi', '-i', 'color=c=blue:size=64x64:rate=10:duration=20', '-shortest'];
const video = await convertedTo(sound, 'mp4', ...PICTURE, '-c:v', 'mpeg4');

const recognizer = await startOpenAiServer(() => ({ body: SPOKEN }));
const files = await startOutsideServer(({ url }, response) => {
	const content = url.endsWith('.mp4') ? video : sound;
	response.writeHead(200, { 'Content-Length': content.length }).end(content);
});
const service = await startLocalService(['--transcription-url', recognizer.url]);
/** Takes no edit: all that counts here is whether a form asks for one. */
const refusing = await startScriptedService(() => ({ status: 422, body: { detail: 'no' } }));
after(async () => {
	await Promise.all([service.stop(), refusing.stop()]);
	for (const server of [recognizer, files]) await server[Symbol.asyncDispose]();
});
await startEngine();

/** What a person chooses to get each output. */
const OUTPUTS: Readonly<Record<string, INodeParameters>> = {
	...Object.fromEntries(
		FORMAT_OPTIONS.map(({ value }) => [String(value), groupedFormats([String(value)])]),
	),
	markers: { download: ['edited', 'markers'] },
	merged: { download: ['edited', 'merged'] },
	embeddedChapters: { embedChapters: 'summary' },
	cutSoundbites: { cutSoundbites: true },
};

const TALK = `${files.url}/talk.mp3`;
const TRACKS = { fileUrls: `${TALK}, ${files.url}/guest.mp3` };
const VIDEO = { fileUrls: `${files.url}/talk.mp4` };

const FORMS: readonly INodeParameters[] = [
	...Object.keys(PRESETS).map((preset) => ({ preset })),
	...CONFIG_FIELDS.map((field) => ({ preset: 'none', [field.name]: addedValue(field) })),
	...[{}, { merge: true }, { merge: true, normalize: true }].map((more) => ({
		...TRACKS,
		...more,
	})),
	...[{}, { audio_for_edl: true }, { export_timestamps: true }].map((more) => ({
		...VIDEO,
		...more,
	})),
];

/** The value of a field that does the most. */
function addedValue({ type, options = [], default: standard }: (typeof CONFIG_FIELDS)[number]) {
	if (type === 'boolean') return true;
	if (type === 'string') return `${files.url}/put.mp3?signature=x`;
	const other = options.find((option) => 'value' in option && option.value !== 'false');
	return other !== undefined && 'value' in other ? other.value : (standard as number);
}

async function edit(access: ServiceAccess, form: INodeParameters): Promise<IRun> {
	const times = { firstPollDelaySeconds: 0, pollIntervalSeconds: 1 };
	const parameters = { recordingFrom: 'url', fileUrls: TALK, ...times, ...form };
	return await runWorkflow({
		workflow: chain({ type: NODE, parameters }),
		nodeTypes: OUR_NODES,
		credentialTypes: OUR_CREDENTIALS,
		// The fastest plan, since the edits of a key are paced.
		credentials: { audioEditingApi: { ...credentialFor(access), plan: 'enterprise' } },
	});
}

/** The outputs that are not refused before an edit with this form is charged. */
async function acceptedWith(form: INodeParameters): Promise<string[]> {
	const accepted: string[] = [];
	for (const [output, asked] of Object.entries(OUTPUTS)) {
		refusing.seen.length = 0;
		await edit({ url: refusing.url, apiKey: randomUUID() }, { ...form, ...asked });
		if (refusing.seen.some(({ method }) => method === 'POST')) accepted.push(output);
	}
	return accepted;
}

/** The form with all of these outputs at once. */
function asking(form: INodeParameters, outputs: readonly string[]): INodeParameters {
	const kinds = ['edited', 'markers', 'merged'];
	return {
		...form,
		...outputs.reduce((all, output) => ({ ...all, ...OUTPUTS[output] }), {}),
		...groupedFormats(outputs),
		returnAs: 'json',
		download: kinds.filter((kind) => kind === 'edited' || outputs.includes(kind)),
	};
}

function isMade(output: string, { json, binary = {} }: INodeExecutionData): boolean {
	const { formats = {}, fileNote } = json.edit as IDataObject;
	const has = (start: string) => Object.keys(binary).some((field) => field.startsWith(start));
	switch (output) {
		case 'markers':
			return has('data_markers_');
		case 'merged':
			// With merged tracks, the edited file is the merged one, and not a ZIP of the tracks.
			return has('data_merged_') || binary.data.mimeType.startsWith('audio/');
		case 'embeddedChapters':
			return typeof fileNote !== 'string' || !/chapters/i.test(fileNote);
		case 'cutSoundbites':
			return has('soundbite');
		default:
			return (formats as IDataObject)[output] !== undefined;
	}
}

/** The outputs that a form accepts, and that its edit does not have. */
async function unmadeWith(form: INodeParameters, accepted: readonly string[]): Promise<string[]> {
	const run = await edit(service, asking(form, accepted));
	const { error } = run.data.resultData;
	if (error) return [`${JSON.stringify(form)}: ${error.message}`];
	const [item] = itemsOf(run, NODE);
	return accepted
		.filter((output) => !isMade(output, item))
		.map((output) => `${JSON.stringify(form)}: ${output}`);
}

await test('what a form accepts, its edit has', async () => {
	const edits: Array<Promise<string[]>> = [];
	const charged: string[] = [];
	for (const form of FORMS) {
		const accepted = await acceptedWith(form);
		charged.push(...accepted);
		if (accepted.length > 0) edits.push(unmadeWith(form, accepted));
	}
	const unmade = (await Promise.all(edits)).flat();
	for (const line of unmade) console.log(line);
	// Each can be had with some form, or nothing was proved about it.
	assert.deepEqual([...new Set(charged)].sort(), Object.keys(OUTPUTS).sort());
	const asked = FORMS.length * Object.keys(OUTPUTS).length;
	const name = `outputs that were charged and could not be had, of ${charged.length} charged and ${asked} asked for`;
	assertBar(count(name, unmade.length));
});
