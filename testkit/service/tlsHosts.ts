/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they listen on loopback */
import { type KeyObject, createSign, generateKeyPairSync } from 'crypto';
import type { ServerResponse } from 'http';
import { getCACertificates, setDefaultCACertificates } from 'tls';

import { type ScriptedService, startScriptedService } from './fake/scriptedService';

/** What a host presents. Every certificate names itself as its issuer, unless another name is given. */
export interface CertificateOptions {
	/** The years in which it begins and ends to be valid. */
	readonly years?: readonly [from: number, to: number];
	readonly issuer?: string;
}

/** A value in DER: its tag, its length, and its content. */
function der(tag: number, ...content: Buffer[]): Buffer {
	const body = Buffer.concat(content);
	const length =
		body.length < 128
			? [body.length]
			: body.length < 256
				? [0x81, body.length]
				: [0x82, body.length >> 8, body.length & 255];
	return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...content: Buffer[]) => der(0x30, ...content);

/** The object identifiers of ecdsa-with-SHA256 and of a common name. */
const ECDSA_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');

const nameOf = (text: string) =>
	sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));

const firstDayOf = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`));

/** A certificate of version 1 in PEM. */
function certificateOf(
	{ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
	{ years = [2020, 2200], issuer = 'localhost' }: CertificateOptions,
): string {
	const content = sequence(
		der(0x02, Buffer.from([1])),
		ECDSA_SHA256,
		nameOf(issuer),
		sequence(...years.map(firstDayOf)),
		nameOf('localhost'),
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = createSign('sha256').update(content).sign(privateKey);
	const whole = sequence(content, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
	return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

/** A scripted service on loopback that speaks https. */
export interface TlsHost extends ScriptedService {
	readonly certificate: string;
	answer: (response: ServerResponse) => void;
}

/** Starts a host that answers every request, with a certificate made for it. */
export async function startTlsHost(options: CertificateOptions = {}): Promise<TlsHost> {
	const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const certificate = certificateOf(keys, options);
	const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });
	const service = await startScriptedService(() => host.answer, { key, cert: certificate });
	const answer = (response: ServerResponse) => void response.end('{}');
	const host: TlsHost = { ...service, certificate, answer };
	return host;
}

/** Trusts a certificate in this process, until the function that it returns is called. */
export function trust(certificate: string): () => void {
	const before = getCACertificates('default');
	setDefaultCACertificates([...before, certificate]);
	return () => setDefaultCACertificates(before);
}
