import { lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

import { EditFailure } from './failures.mts';

/**
 * Addresses no edit may reach through us: link-local ones, where cloud machines offer their
 * credentials, and the metadata addresses outside that range.
 */
const FORBIDDEN_ADDRESSES = new BlockList();
FORBIDDEN_ADDRESSES.addSubnet('169.254.0.0', 16, 'ipv4');
FORBIDDEN_ADDRESSES.addAddress('100.100.100.200', 'ipv4');
FORBIDDEN_ADDRESSES.addSubnet('fe80::', 10, 'ipv6');
FORBIDDEN_ADDRESSES.addAddress('fd00:ec2::254', 'ipv6');

/** Whether an IP address (without brackets) may not be reached. */
export function isForbiddenAddress(address: string): boolean {
	const family = isIP(address);
	if (family === 0) return false;
	return FORBIDDEN_ADDRESSES.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Refuses a URL whose host is a forbidden address; names are checked when they are resolved. */
export function refuseForbiddenHost(hostname: string): void {
	if (isForbiddenAddress(hostname.replace(/^\[|\]$/g, ''))) {
		throw new EditFailure(`The address ${hostname} may not be reached from an edit`);
	}
}

/**
 * Resolves names for outgoing connections and refuses forbidden addresses. Checked here, on the
 * address that is really connected to, so that a name cannot change between check and use.
 */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
	resolveName(hostname, { ...options, all: true }, (error, addresses) => {
		if (error !== null) {
			callback(error, []);
			return;
		}
		const first = addresses.at(0);
		if (first === undefined || addresses.some(({ address }) => isForbiddenAddress(address))) {
			callback(new EditFailure(`The host ${hostname} may not be reached from an edit`), []);
		} else if (options.all === true) {
			callback(null, addresses);
		} else {
			callback(null, first.address, first.family);
		}
	});
};
