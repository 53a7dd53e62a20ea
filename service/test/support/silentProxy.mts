import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Forwards connections to a port. Those that are open when it falls silent stay open, but carry nothing. */
export async function startSilentProxy(targetPort: number, host = '127.0.0.1') {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		const upstream = connect(targetPort, host);
		for (const end of [socket, upstream]) sockets.add(end.on('error', () => undefined));
		socket.pipe(upstream).pipe(socket);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		port,
		fallSilent: () => {
			for (const socket of sockets) socket.unpipe().pause();
		},
		[Symbol.asyncDispose]: async () => {
			for (const socket of sockets) socket.destroy();
			await once(server.close(), 'close');
		},
	};
}
