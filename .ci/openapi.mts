/**
 * `npm run openapi`: writes docs/openapi.json, the keys of the configuration in the output schema of Create Edit, and
 * the tables of docs/options.md, from the contract and from what nodes/core/config/configKeys.ts says about each key.
 */
import { readFile, writeFile } from 'node:fs/promises';

import { format, resolveConfig } from 'prettier';

import { openApiDocument } from './openapi/document.mts';
import { OPTIONS_PAGE, withOptionTables } from './openapi/optionTables.mts';
import { OUTPUT_SCHEMA, outputSchema } from './openapi/outputSchema.mts';

const write = async (path: string, json: string) => {
	await writeFile(path, await format(json, { parser: 'json', printWidth: 100 }));
};

await write('docs/openapi.json', JSON.stringify(openApiDocument()));
// One line for each key, as it was written.
await write(OUTPUT_SCHEMA, JSON.stringify(await outputSchema('.'), undefined, 2));

const page = withOptionTables(await readFile(OPTIONS_PAGE, 'utf8'));
const style = await resolveConfig(OPTIONS_PAGE);
await writeFile(OPTIONS_PAGE, await format(page, { ...style, parser: 'markdown' }));
