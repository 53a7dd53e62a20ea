/**
 * Stores files of given sizes in n8n's binary store and sends the parent their references. Runs in
 * a separate process, so that storing is not measured. Argument: sizes in bytes, as JSON.
 */
import '../../test/support/environment.ts';

import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

import { startEngine } from '../../test/support/n8nEngine.ts';
import type { BenchFile } from './order.mts';

const LOCATION = { type: 'execution', workflowId: 'bench', executionId: '7' } as const;

async function store(sizeBytes: number): Promise<BenchFile> {
	const path = join(process.env.N8N_USER_FOLDER ?? '', `${sizeBytes}.wav`);
	const file = await open(path, 'w');
	await file.truncate(sizeBytes);
	await file.close();
	const described: IBinaryData = { data: '', fileName: 'a.wav', mimeType: 'audio/wav' };
	const service = Container.get(BinaryDataService);
	const binary = await service.copyBinaryFile(LOCATION, described, path);
	await rm(path);
	return { sizeBytes, binary };
}

await startEngine();
const files: BenchFile[] = [];
for (const sizeBytes of JSON.parse(process.argv[2]) as number[]) {
	files.push(await store(sizeBytes));
}
process.send?.(files, () => {
	process.exit();
});
