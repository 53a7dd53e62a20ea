import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

import type { Sandbox } from '../sandbox.mts';

/**
 * A mail server that takes every mail, without encryption and login.
 *
 * Source: https://www.rfc-editor.org/rfc/rfc5321
 *
 * @returns its port, and the mails with their headers
 */
export async function startMailServer(
	sandbox: Sandbox,
): Promise<{ readonly port: number; readonly mails: readonly string[] }> {
	const mails: string[] = [];
	const server = createServer((socket) => {
		let mail: string[] | undefined;
		const say = (line: string) => socket.write(`${line}\r\n`);
		say('220 mail.example.com');
		socket.on('error', () => socket.destroy());
		createInterface({ input: socket }).on('line', (line) => {
			if (mail === undefined && line === 'DATA') {
				mail = [];
				say('354 go on');
			} else if (mail === undefined) {
				say(line === 'QUIT' ? '221 bye' : '250 ok');
			} else if (line === '.') {
				mails.push(mail.join('\n'));
				mail = undefined;
				say('250 taken');
			} else {
				mail.push(line);
			}
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	sandbox.onEnd(async () => {
		server.close();
		await Promise.resolve();
	});
	return { port: (server.address() as AddressInfo).port, mails };
}
