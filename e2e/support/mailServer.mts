import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

import { type Sandbox, listen } from './sandbox.mts';

/**
 * A mail server that takes every mail, without encryption and login.
 *
 * Source: https://www.rfc-editor.org/rfc/rfc5321
 */
export async function startMailServer(sandbox: Sandbox) {
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
	});
	return { port: Number(new URL(await listen(sandbox, server)).port), mails };
}
