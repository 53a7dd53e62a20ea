import { join } from 'node:path';

/** The folder of the e2e tests. */
export const HERE = join(import.meta.dirname, '..');

/** The folder of the repository. */
export const ROOT = join(HERE, '..');

/** Whether it is proved in the oldest n8n that the README names; otherwise in the newest. */
export const IS_OLDEST = process.env['E2E_HOST'] === 'oldest';

/** Where package.json and pnpm-lock.yaml name that n8n exactly. */
export const HOST_SOURCE = IS_OLDEST ? join(HERE, 'oldest') : HERE;

/** Where n8n is installed: by install.mts, or elsewhere where E2E_N8N says so. */
export const N8N_FOLDER = process.env['E2E_N8N'] ?? join(HOST_SOURCE, '.n8n-host');

/** What starts n8n. */
export const N8N_PROGRAM = join(N8N_FOLDER, 'node_modules', 'n8n', 'bin', 'n8n');

/** The Node.js that n8n runs on; the oldest refuses today's, and has its own installed beside it. */
export const NODE_PROGRAM = IS_OLDEST
	? join(N8N_FOLDER, 'node_modules', 'node', 'bin', 'node')
	: process.execPath;

/** The package's name, with which its node types begin. */
export const PACKAGE = 'n8n-nodes-audio-editing';
