import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { format, resolveConfig } from 'prettier';
import { Validator } from '@seriousme/openapi-schema-validator';

import { openApiDocument } from '../../.ci/openapi/document.mts';
import { OPTIONS_PAGE, withOptionTables } from '../../.ci/openapi/optionTables.mts';
import { OUTPUT_SCHEMA, outputSchema } from '../../.ci/openapi/outputSchema.mts';

const PATH = 'docs/openapi.json';
const text = await readFile(PATH, 'utf8');

await test(`${PATH} is what the contract gives: npm run openapi writes it`, () => {
	assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(openApiDocument())));
});

await test(`${OUTPUT_SCHEMA} has the keys of the contract: npm run openapi writes them`, async () => {
	assert.deepEqual(JSON.parse(await readFile(OUTPUT_SCHEMA, 'utf8')), await outputSchema('.'));
});

await test(`${OPTIONS_PAGE} has the rows of the keys and presets: npm run openapi writes them`, async () => {
	const page = await readFile(OPTIONS_PAGE, 'utf8');
	const style = { ...(await resolveConfig(OPTIONS_PAGE)), parser: 'markdown' };
	assert.equal(page, await format(withOptionTables(page), style));
	const tables = page.match(/<!-- rows: \w+ -->\n\n\| (Option|Preset)/g);
	assert.equal(tables?.length, 7);
	assert.match(page, /`keep_music`[^|]*\|[^|]*; needs Remove Noise {2,}\|/);
	assert.match(page, /`target_lufs`[^|]*\|[^|]*; needs Normalize Loudness \(Volume\) \|/);
});

await test(`@seriousme/openapi-schema-validator accepts ${PATH} as OpenAPI 3.1`, async () => {
	const validator = new Validator();
	const { valid, errors } = await validator.validate(text);
	assert.deepEqual([valid, errors, validator.version], [true, undefined, '3.1']);
});

await test(`@redocly/openapi-core accepts ${PATH} by all its recommended rules`, async () => {
	const config = await createConfig({
		extends: ['recommended-strict'],
		// The page and the health checks have no error to describe.
		rules: { 'operation-4xx-response': 'off' },
	});
	const problems = await lintFromString({ source: text, absoluteRef: PATH, config });
	assert.deepEqual(
		problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`),
		[],
	);
});
