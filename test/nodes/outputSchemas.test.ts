/* eslint-disable @n8n/community-nodes/no-restricted-imports -- the tests are no community node: they read files */
import Ajv from 'ajv';
import { readdirSync } from 'fs';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { loadOutputSchema, resolveOutputSchemaPath } from 'n8n-core';
import { resolve } from 'path';

import { EDIT_CONFIG_DEFAULTS } from '../../api/contract';
import { fullResult } from '../support/fullResult';
import { itemsOf, startEngine, storeFile } from '../support/n8nEngine';
import { type LocalService, startLocalService } from '../support/localService';
import { OUR_NODES } from '../support/ourNodes';
import { makeRecording } from '../support/recording';
import { TIME_SPEED } from '../support/scaledTime';
import { status, useScriptedEdits } from '../support/scriptedEdits';
import { useScriptedSubmissions } from '../support/scriptedSubmissions';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/scaledTime'));

const FOLDERS = readdirSync('nodes').filter((name) => name !== 'shared');
const EVERY_FORMAT = [
	...['subtitlesSrt', 'subtitlesVtt', 'transcriptText', 'chaptersJson', 'chapterList'],
	...['showNotesMarkdown', 'showNotesHtml', 'socialPosts'],
];

/** A JSON schema as far as these tests look into it. */
interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	additionalProperties?: boolean;
	required?: string[];
}

/** The schema that n8n finds for a node, by its own rules. */
function schemaOf(folder: string): Schema {
	const nodeDir = resolve('nodes', folder);
	return loadOutputSchema({ nodeDir, version: 1, versionFallback: true }) as Schema;
}

/** The schema with no room for what it does not name, so that a field it lacks is noticed. */
function closed(schema: Schema): Schema {
	const { properties, items } = schema;
	const entries = Object.entries(properties ?? {}).map(([key, value]) => [key, closed(value)]);
	return {
		...schema,
		...(properties && { properties: Object.fromEntries(entries) }),
		...(properties && { additionalProperties: false }),
		...(items && { items: closed(items) }),
	};
}

function expectToFit(folder: string, json: IDataObject, shape = closed) {
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	const validate = ajv.compile(shape(schemaOf(folder)));
	validate(json);
	expect(validate.errors ?? []).toEqual([]);
}

const edits = useScriptedEdits();
const submissions = useScriptedSubmissions();
let service: LocalService;

beforeAll(async () => {
	await startEngine();
	service = await startLocalService(['--clock-speed', String(TIME_SPEED)]);
});

afterAll(async () => {
	await service.stop();
});

it.each(FOLDERS)("%s has a schema where n8n's editor asks for it", (folder) => {
	const nodeDir = resolve('nodes', folder);
	// The editor names the version in full, and neither resource nor operation where there are none.
	const path = resolveOutputSchemaPath({ nodeDir, version: '1.0.0' });
	expect(path).toBe(resolve(nodeDir, '__schema__', 'v1.0.0.json'));
	// The editor shows a schema only if it is an object with properties.
	expect(schemaOf(folder)).toMatchObject({ type: 'object' });
	expect(Object.keys(schemaOf(folder).properties ?? {})).not.toEqual([]);
});

it('every node is described', () => {
	const nodes = Object.values(OUR_NODES).map(({ constructor }) => constructor.name);
	expect(FOLDERS.sort()).toEqual(nodes.sort());
});

it('the outputs of a whole chain on a real recording fit', async () => {
	const content = makeRecording({ partsSeconds: [3, 2.5, 3] });
	const binary = await storeFile(content, 'episode.wav', 'audio/wav');
	const options = { long_silences: true, export_timestamps: true };
	const nodes: Record<string, INodeParameters> = {
		upload: {},
		createEdit: { preset: 'enhance', options },
		waitForEdit: {},
		getResult: { download: ['edited', 'markers'] },
		delete: {},
	};
	const specs = Object.entries(nodes).map(([type, parameters]) => ({ type, parameters }));
	const items = [{ json: {}, binary: { data: binary } }];
	const run = await runChain(service, chain(...specs), items);
	if (run.data.resultData.error) throw run.data.resultData.error;
	for (const folder of FOLDERS) {
		const type = folder[0].toLowerCase() + folder.slice(1);
		expectToFit(folder, itemsOf(run, type)[0].json);
	}
});

it('Create Edit names every key of the configuration, and both types of its values', async () => {
	const { config } = schemaOf('CreateEdit').properties ?? {};
	expect(Object.keys(config.properties ?? {}).sort()).toEqual(
		Object.keys(EDIT_CONFIG_DEFAULTS).sort(),
	);
	const options = { breath: 'natural', remove_noise: 'legacy', normalize: true };
	const { out, error } = await submissions.create({ preset: 'fullAnalysis', options });
	expect(error).toBeUndefined();
	expectToFit('CreateEdit', out[0].json);
});

describe('an edit with everything on', () => {
	beforeEach(() => {
		const answer = status('a', 'SUCCESS', fullResult(edits.service.url));
		edits.script = { '/v2/edits/a': [status('a', 'EDITING'), answer] };
	});

	async function output(type: string, parameters: INodeParameters = {}) {
		const { out, error } = await edits.run(type, ['a'], parameters);
		if (error) throw error;
		return out[0].json;
	}

	it('fits in Wait For Edit', async () => {
		expectToFit('WaitForEdit', await output('waitForEdit'));
	});

	it('fits in Get Result and fills every field of its schema', async () => {
		edits.script['/v2/edits/a'].shift();
		const json = await output('getResult', { download: [], alsoReturn: EVERY_FORMAT });
		expectToFit('GetResult', json);
		expectToFit('GetResult', json, allRequired);
	});

	it('fits raw, with more beside it', async () => {
		edits.script['/v2/edits/a'].shift();
		const json = await output('getResult', { download: [], simplify: false });
		expectToFit('GetResult', json, (schema) => schema);
	});
});

/** The schema with every field required, so that one it invents is noticed. */
function allRequired(schema: Schema): Schema {
	const entries = Object.entries(schema.properties ?? {});
	const properties = Object.fromEntries(entries.map(([key, value]) => [key, allRequired(value)]));
	const { items } = schema;
	const isObject = schema.properties !== undefined;
	return {
		...schema,
		...(isObject && { properties, required: Object.keys(properties) }),
		...(items && { items: allRequired(items) }),
	};
}
