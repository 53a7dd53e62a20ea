/** Imported before the contract: from then on, zod-openapi keeps what `describe()` says of a schema. */
import { createRequire } from 'node:module';

// The contract is CommonJS, where zod is another copy than the one that an import here would change.
createRequire(import.meta.url)('zod-openapi/extend');
