import { join } from 'node:path';

/** The folder of the e2e tests. */
export const HERE = join(import.meta.dirname, '..');

/** The folder of the repository. */
export const ROOT = join(HERE, '..');

/** Where n8n is installed: by install.mts, or elsewhere where E2E_N8N says so. */
export const N8N_FOLDER = process.env['E2E_N8N'] ?? join(HERE, '.n8n-host');

/** What starts n8n. */
export const N8N_PROGRAM = join(N8N_FOLDER, 'node_modules', 'n8n', 'bin', 'n8n');

/** The package's name, with which its node types begin. */
export const PACKAGE = 'n8n-nodes-audio-editing';
