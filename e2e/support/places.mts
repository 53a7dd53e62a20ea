import { join } from 'node:path';

const HERE = join(import.meta.dirname, '..');

export const ROOT = join(HERE, '..');

/** Whether the tests use the oldest n8n that the README names instead of the newest. */
export const IS_OLDEST = process.env['E2E_HOST'] === 'oldest';

/** The folder whose package.json and pnpm-lock.yaml pin that n8n. */
export const HOST_SOURCE = IS_OLDEST ? join(HERE, 'oldest') : HERE;

/** Where n8n is installed: by install.mts, or wherever E2E_N8N says. */
export const N8N_FOLDER = process.env['E2E_N8N'] ?? join(HOST_SOURCE, '.n8n-host');

export const N8N_PROGRAM = join(N8N_FOLDER, 'node_modules', 'n8n', 'bin', 'n8n');

/** The Node.js that n8n runs on. */
export const NODE_PROGRAM = process.execPath;

/** The package's name, the prefix of its node types. */
export const PACKAGE = 'n8n-nodes-audio-editing';
