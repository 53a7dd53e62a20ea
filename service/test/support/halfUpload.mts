import { connect, type Socket } from 'node:net';

import type { Patience } from '../../http/app.mts';
import { eventually } from '../../../testkit/time/eventually.mts';
import { startServiceWith } from '../../../testkit/service/testService.mts';

/** Starts a service with other limits for those who keep it waiting. */
export async function startImpatientService(patience: Patience) {
	const service = await startServiceWith({ patience });
	const { hostname, port } = new URL(service.url);
	return Object.assign(service, {
		connect: () => connect(Number(port), hostname).setEncoding('utf8'),
		/** Begins to upload ten bytes, and sends the first five. */
		beginUpload: async (): Promise<Socket> => {
			const link = new URL(await service.ann.uploadLink('a.wav'));
			const socket = connect(Number(link.port), link.hostname).setEncoding('utf8');
			const path = link.pathname + link.search;
			socket.write(`PUT ${path} HTTP/1.1\r\nHost: ${link.host}\r\nContent-Length: 10\r\n\r\n12345`);
			await eventually('it arrives', async () => (await service.folder('incoming')).at(0));
			return socket;
		},
	});
}
