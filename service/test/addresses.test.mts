import assert from 'node:assert/strict';
import { test } from 'node:test';

import { OutboundRules } from '../outbound/addressRules.mts';
import { readSettings } from '../shared/settings.mts';

const NEVER = [
	'169.254.169.254',
	'2852039166',
	'0xa9fea9fe',
	'169.254.0.1.',
	'100.100.100.200',
	'[fe80::1]',
	'[fd00:ec2::254]',
	'[::ffff:169.254.169.254]',
	'[::169.254.169.254]',
	'[64:ff9b::169.254.169.254]',
	'[64:ff9b::a9fe:a9fe]',
	'[64:ff9b:1::a9fe:a9fe]',
	'[2002:a9fe:a9fe::1]',
	'[2002:6464:64c8::1]',
	'[2001:0:1::1]',
	'168.63.129.16',
	'192.0.0.192',
	'198.18.0.1',
	'198.19.255.255',
	'224.0.0.1',
	'239.255.255.250',
	'240.0.0.1',
	'255.255.255.255',
	'[::ffff:0:7f00:1]',
	'[::ffff:0:5db8:d822]',
	'[ff02::1]',
	'[fd20:ce::254]',
	'[::ffff:168.63.129.16]',
	'[64:ff9b::e000:1]',
	'[2002:a83f:8110::1]',
];

const PRIVATE = [
	'127.0.0.1',
	'127.9.9.9',
	'0.0.0.0',
	'10.1.2.3',
	'172.16.0.1',
	'172.31.255.255',
	'192.168.1.1',
	'100.64.0.1',
	'[::1]',
	'[::]',
	'[fc00::1]',
	'[fd12::1]',
	'[::ffff:10.0.0.1]',
	'[::127.0.0.1]',
	'[64:ff9b::7f00:1]',
	'[2002:c0a8:101::1]',
];

const PUBLIC = [
	'93.184.216.34',
	'172.32.0.1',
	'100.128.0.1',
	'169.253.1.1',
	'[2606:4700::1]',
	'[64:ff9b::5db8:d822]',
	'[2002:5db8:d822::1]',
	'media.example',
];

/** Returns the hosts that the rules refuse. */
function refused(hosts: readonly string[], allowPrivate: boolean): string[] {
	const rules = new OutboundRules(() => allowPrivate);
	return hosts.filter((host) => {
		try {
			rules.refuseForbiddenHost(new URL(`http://${host}/`).hostname);
			return false;
		} catch {
			return true;
		}
	});
}

await test('refuses link-local and metadata addresses in every notation', () => {
	assert.deepEqual(refused(NEVER, true), NEVER);
	assert.deepEqual(refused(NEVER, false), NEVER);
});

await test('refuses this machine and private networks unless they are allowed', () => {
	assert.deepEqual(refused(PRIVATE, false), PRIVATE);
	assert.deepEqual(refused(PRIVATE, true), []);
	assert.deepEqual(refused(PUBLIC, false), []);
});

await test('refuses a name that resolves to this machine', async () => {
	const look = (allowPrivate: boolean) =>
		new Promise<string>((resolve) => {
			new OutboundRules(() => allowPrivate).guardedLookup('localhost', {}, (error, address) => {
				resolve(error?.message ?? JSON.stringify(address));
			});
		});
	assert.match(await look(false), /localhost may not be reached/);
	assert.match(await look(true), /^"(127\.0\.0\.1|::1)"$/);
});

await test('allows private addresses only on a loopback host or with the flag', () => {
	const allowed = (...args: string[]) => readSettings(args).allowPrivateSources;
	for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) {
		assert.equal(allowed('--host', host), true, host);
	}
	for (const host of ['0.0.0.0', '::', '192.168.1.5', '127.evil.example']) {
		assert.equal(allowed('--host', host), false, host);
		assert.equal(allowed('--host', host, '--allow-private-sources'), true, host);
	}
});
