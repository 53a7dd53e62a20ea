import { connect } from 'node:net';

/** Begins to upload a file of this size to a signed link, and leaves before the answer. */
export async function leaveEarly(link: string, announcedBytes: number): Promise<void> {
	const { hostname, port, pathname, search, host } = new URL(link);
	const socket = connect(Number(port), hostname);
	const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${announcedBytes}`;
	await new Promise((resolve, reject) => {
		socket.on('error', reject);
		socket.write(`${head}\r\n\r\nabc`, resolve);
	});
	socket.destroy();
}
