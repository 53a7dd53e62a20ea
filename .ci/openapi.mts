/**
 * `npm run openapi`: writes docs/openapi.json, and the keys of the configuration in the output schema of Create
 * Edit, from the contract and from what nodes/core/config/configKeys.ts says about each key.
 */
import { writeFile } from 'node:fs/promises';

import { format } from 'prettier';

import { openApiDocument } from './openapi/document.mts';
import { OUTPUT_SCHEMA, outputSchema } from './openapi/outputSchema.mts';

const write = async (path: string, json: string) => {
	await writeFile(path, await format(json, { parser: 'json', printWidth: 100 }));
};

await write('docs/openapi.json', JSON.stringify(openApiDocument()));
// One line for each key, as it was written.
await write(OUTPUT_SCHEMA, JSON.stringify(await outputSchema('.'), undefined, 2));
