import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';

import { listen } from '../listen.mts';
import type { Sandbox } from '../sandbox.mts';
import { startStandIn } from './standIn.mts';

const HOST = 'www.googleapis.com';

/** Google Drive with one file, reached through the proxy of n8n, since its node knows one host only. */
export interface GoogleDrive {
	/** The variables with which n8n reaches it. */
	readonly env: Readonly<Record<string, string>>;
	readonly fileId: string;
}

/**
 * Drive's API for one file: its name and type, and its content.
 *
 * Source: https://developers.google.com/workspace/drive/api/reference/rest/v3/files/get
 */
export async function startGoogleDrive(
	sandbox: Sandbox,
	token: string,
	{ name, content }: { name: string; content: Buffer },
): Promise<GoogleDrive> {
	const fileId = '1AbCdEfGhIjKlMnOpQrStUvWxYz012345';
	const { url } = await startStandIn(sandbox, ({ path, query, headers }) => {
		if (headers.authorization !== `Bearer ${token}`) return { status: 401 };
		if (path !== `/drive/v3/files/${fileId}`) return { status: 404, body: { error: {} } };
		if (query.get('alt') !== 'media') return { body: { name, mimeType: 'audio/wav' } };
		return { body: content, headers: { 'Content-Type': 'audio/wav' } };
	});
	const { key, certificate, certificatePath } = certificateFor(sandbox, HOST);
	const drive = createTlsServer({ key, cert: certificate }, (encrypted) => {
		const plain = connect(Number(new URL(url).port), '127.0.0.1');
		pipeline(encrypted, plain, encrypted, () => undefined);
	});
	const proxy = createServer().on('connect', ({ url: host }, socket) => {
		if (host !== `${HOST}:443`) {
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		drive.emit('connection', socket);
	});
	const env = {
		HTTPS_PROXY: await listen(sandbox, proxy),
		NO_PROXY: '127.0.0.1',
		NODE_EXTRA_CA_CERTS: certificatePath,
	};
	return { env, fileId };
}

/** Makes a certificate for a host, which is its own authority. */
function certificateFor({ folder }: Sandbox, host: string) {
	const [keyPath, certificatePath] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
	const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', keyPath];
	const named = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
	execFileSync('openssl', ['req', ...made, '-out', certificatePath, '-days', '2', ...named], {
		stdio: 'ignore',
	});
	return {
		key: readFileSync(keyPath),
		certificate: readFileSync(certificatePath),
		certificatePath,
	};
}
