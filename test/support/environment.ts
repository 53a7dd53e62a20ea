/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- the tests are no community node: they start processes and read files */
import { randomUUID } from 'crypto';
import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

// n8n-core reads these when it is imported; nothing of the machine's own n8n may be touched.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'audio-editing-n8n-'));
process.env.N8N_ENCRYPTION_KEY ??= randomUUID();
process.env.N8N_LOG_LEVEL ??= 'silent';
