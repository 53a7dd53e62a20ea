/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they start processes and read files */
import { randomUUID } from 'crypto';
import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

// n8n-core reads these on import. The tests must not touch this machine's own n8n.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'audio-editing-n8n-'));
process.env.N8N_ENCRYPTION_KEY ??= randomUUID();
process.env.N8N_LOG_LEVEL ??= 'silent';
