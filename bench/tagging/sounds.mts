/** Tags files of many encodings through Get Result, and compares what they decode to. */
import '../../test/support/environment.ts';

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { INodeParameters } from 'n8n-workflow';

import { loadCredential, loadNodes } from '../../demo/builtPackage.mts';
import { chain, credentialFor } from '../../test/support/chain.ts';
import {
	itemsOf,
	readFile as readStored,
	runWorkflow,
	startEngine,
} from '../../test/support/n8nEngine.ts';

const execute = promisify(execFile);

const AAC = ['-c:a', 'aac', '-movflags', '+faststart'];

/** Encoders' arguments by the name of the file. */
const ENCODINGS: Readonly<Record<string, readonly string[]>> = {
	'cbr.mp3': ['-b:a', '128k'],
	'vbr.mp3': ['-q:a', '4'],
	'loud-320.mp3': ['-b:a', '320k', '-ar', '48000'],
	'mono-22k.mp3': ['-b:a', '32k', '-ar', '22050', '-ac', '1'],
	'mono-8k.mp3': ['-b:a', '8k', '-ar', '8000', '-ac', '1'],
	'no-info.mp3': ['-b:a', '96k', '-write_xing', '0', '-id3v2_version', '0'],
	'old-tag-3.mp3': [
		'-b:a',
		'96k',
		'-id3v2_version',
		'3',
		'-metadata',
		'title=Old',
		'-write_id3v1',
		'1',
	],
	'old-tag-4.mp3': ['-b:a', '96k', '-id3v2_version', '4', '-metadata', 'genre=Old'],
	'aac.m4a': AAC,
	'alac.m4a': ['-c:a', 'alac', '-movflags', '+faststart'],
	'old-tag.m4a': [...AAC, '-metadata', 'title=Old', '-metadata', 'genre=Old'],
	'video.mp4': ['-f', 'lavfi', '-i', 'testsrc=d=20:s=64x64', ...AAC],
};

const SOUND =
	'aevalsrc=0.3*sin(2*PI*t*(200+80*sin(3*t)))+0.05*random(0)|0.2*sin(600*t)+0.05*random(1):d=20';

const CHAPTERS = JSON.stringify([
	{ start: 0, title: 'Welcome' },
	{ start: 9.5, title: 'Patience' },
]);

/** Each way to write. */
const REQUESTS: readonly INodeParameters[] = [
	{ writeTags: { title: 'Bread', author: 'Anna', language: 'en' } },
	{ embedChapters: 'json', chaptersJson: CHAPTERS },
	{
		writeTags: { title: 'Bread', existing: 'overwrite' },
		embedChapters: 'json',
		chaptersJson: CHAPTERS,
	},
	{ writeTags: { existing: 'remove' } },
];

async function soundHash(path: string): Promise<string> {
	const args = ['-nostdin', '-v', 'error', '-xerror', '-i', path, '-map', '0:a', '-f', 'md5', '-'];
	const { stdout, stderr } = await execute('ffmpeg', args);
	return stderr === '' ? stdout : stderr;
}

/** Serves the files of a folder as the edited files of edits of the same name. */
function serve(folder: string) {
	return createServer((request, response) => {
		const { pathname } = new URL(request.url ?? '/', 'http://x');
		const name = pathname.split('/').at(-1) ?? '';
		if (pathname.startsWith('/files/')) {
			void readFile(join(folder, name)).then((file) => {
				response.writeHead(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': file.length });
				response.end(file);
			});
			return;
		}
		const download_url = `http://${request.headers.host ?? ''}/files/${name}`;
		const result = { filename: name, download_url };
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({ task_id: name, status: 'SUCCESS', result }));
	});
}

/** How many of all tagged files have new bytes and the same sound as the untagged one. */
export async function equalSounds(folder: string): Promise<{ equal: number; all: number }> {
	await startEngine();
	const server = serve(folder).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	let equal = 0;
	for (const [name, args] of Object.entries(ENCODINGS)) {
		const source = join(folder, name);
		await execute('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', SOUND, ...args, '-y', source]);
		for (const [index, options] of REQUESTS.entries()) {
			const run = await runWorkflow({
				workflow: chain({ type: 'getResult', parameters: { options } }),
				items: [{ json: { editId: name } }],
				nodeTypes: loadNodes(),
				credentialTypes: { audioEditingApi: loadCredential() },
				credentials: { audioEditingApi: credentialFor({ url, apiKey: 'bench' }) },
			});
			const { error } = run.data.resultData;
			if (error) throw error;
			const [{ json, binary }] = itemsOf(run, 'getResult');
			if (binary === undefined) throw new Error('No file');
			const tagged = join(folder, `tagged-${index}-${name}`);
			await writeFile(tagged, await readStored(binary.data));
			const { fileNote } = json;
			const isWritten = fileNote === undefined;
			const isEqual = (await soundHash(tagged)) === (await soundHash(source));
			if (isWritten && isEqual) equal += 1;
			else
				console.log(
					`${name}, request ${index}: ${typeof fileNote === 'string' ? fileNote : 'another sound'}`,
				);
		}
	}
	server.close();
	return { equal, all: Object.keys(ENCODINGS).length * REQUESTS.length };
}
