import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';

import ipaddr from 'ipaddr.js';

import { EditFailure } from '../shared/failures.mts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The names in ipaddr.js of the ranges for this machine and private networks. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set([
	'unspecified',
	'loopback',
	'private',
	'carrierGradeNat',
	'uniqueLocal',
	'deprecatedSiteLocal',
]);

/** Addresses outside the link-local range where cloud machines serve their credentials. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(
	['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
		ipaddr.parse(text).toNormalizedString(),
	),
);

/** Byte offsets of the IPv4 address in IPv6 ranges that embed one: mapped, NAT64 and 6to4. */
const EMBEDDED_AT: Readonly<Partial<Record<string, number>>> = {
	ipv4Mapped: 12,
	rfc6052: 12,
	'6to4': 2,
};

/** Local-use NAT64 (RFC 8215): where it embeds the IPv4 address depends on the network. */
const LOCAL_NAT64 = ipaddr.parseCIDR('64:ff9b:1::/48');

/** IPv4-compatible addresses: `::a.b.c.d`. */
const COMPATIBLE = ipaddr.parseCIDR('::/96');

/** Returns the IPv4 address embedded in an IPv6 address, if any. */
function embeddedIn(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
	if (address.match(LOCAL_NAT64)) return undefined;
	const range = address.range();
	const isCompatible = range === 'unicast' && address.match(COMPATIBLE);
	const at = isCompatible ? 12 : EMBEDDED_AT[range];
	return at === undefined ? undefined : new ipaddr.IPv4(address.toByteArray().slice(at, at + 4));
}

/** Returns which edits may reach an address: all, only those with `allowPrivate`, or none. */
function reachOf(address: Address): 'public' | 'private' | 'never' {
	const embedded = address instanceof ipaddr.IPv6 ? embeddedIn(address) : undefined;
	if (embedded !== undefined) return reachOf(embedded);
	if (METADATA_ADDRESSES.has(address.toNormalizedString())) return 'never';
	const range = address.range();
	if (range === 'unicast') return 'public';
	return PRIVATE_RANGES.has(range) ? 'private' : 'never';
}

/**
 * Decides which addresses edits may fetch from and deliver to. Always forbidden: link-local and
 * metadata addresses (where cloud machines serve their credentials), multicast, and ranges reserved
 * for tests, tunnels and the like.
 */
export class OutboundRules {
	/** @param allowPrivate whether edits may reach private networks; called each time. */
	constructor(private readonly allowPrivate: () => boolean) {}

	/** Refuses a host that is a forbidden address. `guardedLookup` checks names. @throws EditFailure */
	refuseForbiddenHost(hostname: string): void {
		const refusal = this.refusalOf(hostname, hostname.replace(/^\[|\]$/g, ''));
		if (refusal !== undefined) throw refusal;
	}

	/**
	 * Resolves names for outgoing connections and refuses forbidden addresses. It checks the address
	 * that the connection uses, so a name cannot resolve differently between check and use.
	 */
	readonly guardedLookup: LookupFunction = (hostname, options, callback) => {
		resolveName(hostname, { ...options, all: true }, (error, addresses) => {
			if (error !== null) {
				callback(error, []);
				return;
			}
			const refusals = addresses.flatMap(({ address }) => this.refusalOf(hostname, address) ?? []);
			const first = addresses.at(0);
			if (first === undefined || refusals.length > 0) {
				callback(refusals[0] ?? new EditFailure(`The host ${hostname} has no address`), []);
			} else if (options.all === true) {
				callback(null, addresses);
			} else {
				callback(null, first.address, first.family);
			}
		});
	};

	/** Returns why edits may not reach a host at this address; undefined if they may. */
	private refusalOf(host: string, address: string): EditFailure | undefined {
		// A name, which `guardedLookup` checks once it is resolved.
		if (!ipaddr.isValid(address)) return undefined;
		const reach = reachOf(ipaddr.parse(address));
		if (reach === 'never') {
			return new EditFailure(`The address ${host} may not be reached from an edit`);
		}
		if (reach === 'public' || this.allowPrivate()) return undefined;
		const where = 'on this machine or in a private network (--allow-private-sources)';
		return new EditFailure(`The address ${host} may not be reached from an edit: it is ${where}`);
	}
}
