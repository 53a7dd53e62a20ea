/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import { existsSync, readdirSync } from 'fs';
import type { INodeParameters } from 'n8n-workflow';
import { resolve } from 'path';

import { EDIT_CONFIG_DEFAULTS } from '../../../api/contract';
import { fullResult } from '../../../testkit/service/fullResult';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import {
	allRequired,
	expectToFit,
	schemaOf,
	schemaPath,
	SCHEMAS,
} from '../../../testkit/n8n/outputSchemas';
import { sayWords, TALK } from '../../../testkit/service/results';
import { status, useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import type { Answer } from '../../../testkit/service/fake/scriptedService';
import { useScriptedSubmissions } from '../../../testkit/service/scriptedSubmissions';

const EVERY_FORMAT = [
	'subtitlesSrt',
	'subtitlesVtt',
	'transcriptText',
	'chaptersJson',
	'chapterList',
	'showNotesMarkdown',
	'showNotesHtml',
	'socialPosts',
	'transcriptJson',
	'podloveChapters',
	'episodeDescription',
	'feedItem',
	'soundbites',
];

const edits = useScriptedEdits();
const submissions = useScriptedSubmissions();

it.each(SCHEMAS)("%j has a schema where n8n's editor requests one", (ref) => {
	expect(existsSync(schemaPath(ref))).toBe(true);
	// The editor shows a schema only if it is an object with properties.
	expect(schemaOf(ref)).toMatchObject({ type: 'object' });
	expect(Object.keys(schemaOf(ref).properties ?? {})).not.toEqual([]);
});

it('has no schema that the editor never requests', () => {
	const files = readdirSync('nodes', { recursive: true, encoding: 'utf8' })
		.filter((path) => path.includes('__schema__') && path.endsWith('.json'))
		.map((path) => resolve('nodes', path));
	expect(files.sort()).toEqual(SCHEMAS.map(schemaPath).sort());
});

it('Create Edit names every key of the configuration, and both types of its values', async () => {
	const { config } = schemaOf({ type: 'createEdit' }).properties ?? {};
	expect(Object.keys(config.properties ?? {}).sort()).toEqual(
		Object.keys(EDIT_CONFIG_DEFAULTS).sort(),
	);
	const options = { breath: 'natural', remove_noise: 'legacy', normalize: true };
	const { out, error } = await submissions.create({ preset: 'fullAnalysis', ...options });
	expect(error).toBeUndefined();
	expectToFit({ type: 'createEdit' }, out[0].json);
});

describe('an edit with everything on', () => {
	let answer: Answer;

	beforeEach(() => {
		const full = fullResult(edits.service.url);
		// Long enough for a soundbite.
		full.transcription.transcription.words = sayWords(TALK);
		answer = status('a', 'SUCCESS', full);
		edits.script = { '/v2/edits/a': [status('a', 'EDITING'), answer] };
	});

	async function output(type: string, parameters: INodeParameters = {}) {
		const { out, error } = await edits.run(type, ['a'], parameters);
		if (error) throw error;
		return out[0].json;
	}

	it('matches in Wait For Edit', async () => {
		expectToFit({ type: 'waitForEdit' }, await output('waitForEdit'));
	});

	it('matches in Get Result and fills every field of its schema', async () => {
		edits.script['/v2/edits/a'] = [answer];
		const noMp3 = { body: 'no MP3 file', headers: { 'Content-Type': 'audio/mpeg' } };
		edits.script['/download/full'] = [noMp3];
		const json = await output('getResult', {
			download: ['edited'],
			writeTags: { title: 'Bread' },
			...groupedFormats(EVERY_FORMAT),
			returnAs: 'json',
		});
		expectToFit({ type: 'getResult' }, json);
		expectToFit({ type: 'getResult' }, json, allRequired);
	});

	it('matches raw, with additional fields', async () => {
		edits.script['/v2/edits/a'] = [answer];
		const json = await output('getResult', { download: [], simplify: false });
		expectToFit({ type: 'getResult' }, json, (schema) => schema);
	});
});
