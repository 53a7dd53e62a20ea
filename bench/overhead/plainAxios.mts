import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { CONFIG, type Job } from './job.mts';

interface AxiosRequest {
	method: string;
	url: string;
	headers?: Record<string, string | number>;
	params?: Record<string, string>;
	data?: unknown;
	maxRedirects: 0;
	responseType?: 'stream';
}

type Axios = (request: AxiosRequest) => Promise<{ data: unknown }>;

// n8n's own axios, for a fair comparison; a separate instance, since n8n configures the shared one.
const require = createRequire(import.meta.url);
const requireOfN8n = createRequire(require.resolve('@n8n/backend-network'));
const { create } = requireOfN8n('axios') as { create: () => Axios };
const axios = create();

const EXACT = { maxRedirects: 0 } as const;

/** A simple script: the same requests and files, without checks or retries. */
export async function runPlainAxios(job: Job): Promise<void> {
	for (let item = 0; item < job.items; item++) await runItem(job);
}

async function runItem(job: Job): Promise<void> {
	const { url, apiKey, fileBytes, path } = job;
	const headers = { 'X-API-Key': apiKey, Accept: 'application/json' };
	const upload = await axios({
		...EXACT,
		method: 'POST',
		url: `${url}/v2/upload`,
		params: { filename: 'a.wav' },
		headers,
	});
	const { signedUrl } = upload.data as { signedUrl: string };
	await axios({
		...EXACT,
		method: 'PUT',
		url: signedUrl,
		data: createReadStream(path),
		headers: { 'Content-Type': 'audio/wav', 'Content-Length': fileBytes },
	});
	const input = { files: [signedUrl.split('?')[0]], config: CONFIG, upload_type: 'singletrack' };
	const created = await axios({
		...EXACT,
		method: 'POST',
		url: `${url}/v2/edits`,
		headers: { ...headers, 'Content-Type': 'application/json' },
		data: { input },
	});
	const { id } = created.data as { id: string };
	const edit = { ...EXACT, url: `${url}/v2/edits/${encodeURIComponent(id)}`, headers };
	await axios({ ...edit, method: 'GET' });
	const finished = await axios({ ...edit, method: 'GET' });
	const { result } = finished.data as { result: { download_url: string } };
	await download(result.download_url, job.folder);
	await axios({ ...edit, method: 'DELETE' });
}

/** Writes to a temporary name first, as n8n does, so that a partial file never looks complete. */
async function download(url: string, folder: string): Promise<void> {
	const answer = await axios({ ...EXACT, method: 'GET', url, responseType: 'stream' });
	const path = join(folder, randomUUID());
	await writeFile(`${path}.part`, answer.data as Readable);
	await rename(`${path}.part`, path);
}
