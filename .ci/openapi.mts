/** `npm run openapi`: writes docs/openapi.json from the contract. */
import { writeFile } from 'node:fs/promises';

import { format } from 'prettier';

import { openApiDocument } from './openapi/document.mts';

const text = await format(JSON.stringify(openApiDocument()), { parser: 'json', printWidth: 100 });
await writeFile('docs/openapi.json', text);
