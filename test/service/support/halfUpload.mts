import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import { startLocalService } from '../../../service/cli/localService.mts';
import type { Patience } from '../../../service/http/app.mts';
import { readSettings } from '../../../service/shared/settings.mts';
import { eventually } from '../../support/eventually.mts';
import { Client } from './client.mts';
import { temporaryFolder } from './temporaryFolder.mts';

/** Starts a service with other limits for those who keep it waiting. */
export async function startImpatientService(patience: Patience) {
	const folder = await temporaryFolder();
	const settings = readSettings(['--port', '0', '--storage', folder.path]);
	const service = await startLocalService(settings, () => undefined, { patience });
	const { hostname, port } = new URL(service.url);
	const incoming = () => readdir(join(folder.path, 'incoming'));
	return {
		url: service.url,
		apiKey: service.apiKeys[0],
		connect: () => connect(Number(port), hostname).setEncoding('utf8'),
		/** Returns the names of the files that are arriving. */
		incoming,
		/** Begins to upload ten bytes, and sends the first five. */
		beginUpload: async (): Promise<Socket> => {
			const link = new URL(await new Client(service.url, service.apiKeys[0]).uploadLink('a.wav'));
			const socket = connect(Number(link.port), link.hostname).setEncoding('utf8');
			const path = link.pathname + link.search;
			socket.write(`PUT ${path} HTTP/1.1\r\nHost: ${link.host}\r\nContent-Length: 10\r\n\r\n12345`);
			await eventually('it arrives', async () => (await incoming()).at(0));
			return socket;
		},
		[Symbol.asyncDispose]: async () => {
			await service.close();
			await folder[Symbol.asyncDispose]();
		},
	};
}
