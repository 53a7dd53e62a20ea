/**
 * Stores files in n8n's binary store, in a separate process, so that storing is not measured. Argument:
 * sizes in bytes, as JSON. Sends the parent an item for each.
 */
import { sendAndEnd } from '../builtRun.mts';

import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

const LOCATION = { type: 'execution', workflowId: 'bench', executionId: '7' } as const;

async function store(sizeBytes: number): Promise<IBinaryData> {
	const path = join(process.env.N8N_USER_FOLDER ?? '', 'a.wav');
	const file = await open(path, 'w');
	await file.truncate(sizeBytes);
	await file.close();
	const about: IBinaryData = { data: '', fileName: 'a.wav', mimeType: 'audio/wav' };
	const binary = await Container.get(BinaryDataService).copyBinaryFile(LOCATION, about, path);
	await rm(path);
	return binary;
}

const stored = new Map<number, INodeExecutionData>();
const sizes = JSON.parse(process.argv[2]) as number[];
for (const sizeBytes of new Set(sizes))
	stored.set(sizeBytes, { json: {}, binary: { data: await store(sizeBytes) } });
sendAndEnd(sizes.map((sizeBytes) => stored.get(sizeBytes)));
