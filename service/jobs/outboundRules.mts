import { lookup as resolveName } from 'node:dns';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';

import { EditFailure } from './failures.mts';

type Subnet = readonly [address: string, prefixBits: number];

/**
 * Addresses no edit may ever reach through us: link-local ones, where cloud machines offer their
 * credentials, the metadata addresses outside that range, and tunnels (NAT64 of a network's own,
 * Teredo) that hide which IPv4 address they lead to.
 */
const NEVER: readonly Subnet[] = [
	...[['169.254.0.0', 16] as const, ['100.100.100.200', 32] as const],
	...[['fe80::', 10] as const, ['fd00:ec2::254', 128] as const],
	...[['64:ff9b:1::', 48] as const, ['2001::', 32] as const],
];

/** This machine and private networks. */
const PRIVATE: readonly Subnet[] = [
	...[['0.0.0.0', 8] as const, ['127.0.0.0', 8] as const, ['10.0.0.0', 8] as const],
	...[['172.16.0.0', 12] as const, ['192.168.0.0', 16] as const, ['100.64.0.0', 10] as const],
	...[['::', 128] as const, ['::1', 128] as const, ['fc00::', 7] as const],
	...[['fec0::', 10] as const],
];

/** The IPv6 subnets that lead to an IPv4 subnet: NAT64, IPv4-compatible addresses and 6to4. */
function embedded([address, prefixBits]: Subnet): Subnet[] {
	const [a, b, c, d] = address.split('.').map(Number);
	const sixToFour = `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`;
	return [
		[`64:ff9b::${address}`, 96 + prefixBits],
		[`::${address}`, 96 + prefixBits],
		[sixToFour, 16 + prefixBits],
	];
}

/** A list of subnets, each in all its forms; `::ffff:a.b.c.d` BlockList sees through by itself. */
function blockListOf(subnets: readonly Subnet[]): BlockList {
	const list = new BlockList();
	for (const subnet of subnets) {
		const forms = isIPv4(subnet[0]) ? [subnet, ...embedded(subnet)] : [subnet];
		for (const [address, bits] of forms) {
			list.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4');
		}
	}
	return list;
}

function contains(list: BlockList, address: string): boolean {
	const family = isIP(address);
	return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Which addresses edits may fetch from and deliver to. */
export class OutboundRules {
	readonly #never = blockListOf(NEVER);
	readonly #private = blockListOf(PRIVATE);

	readonly #allowPrivate: () => boolean;

	/** @param allowPrivate whether edits may reach this machine and private networks; a function is asked each time. */
	constructor(allowPrivate: boolean | (() => boolean)) {
		this.#allowPrivate = typeof allowPrivate === 'boolean' ? () => allowPrivate : allowPrivate;
	}

	/** Refuses a URL whose host is a forbidden address; names are checked when they are resolved. */
	refuseForbiddenHost(hostname: string): void {
		const refusal = this.#refusalOf(hostname, hostname.replace(/^\[|\]$/g, ''));
		if (refusal !== undefined) throw refusal;
	}

	/**
	 * Resolves names for outgoing connections and refuses forbidden addresses. Checked here, on the
	 * address that is really connected to, so that a name cannot change between check and use.
	 */
	readonly guardedLookup: LookupFunction = (hostname, options, callback) => {
		resolveName(hostname, { ...options, all: true }, (error, addresses) => {
			if (error !== null) {
				callback(error, []);
				return;
			}
			const refusals = addresses.flatMap(({ address }) => this.#refusalOf(hostname, address) ?? []);
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

	/** Why an address, that a host is or resolves to, may not be reached; undefined when it may. */
	#refusalOf(host: string, address: string): EditFailure | undefined {
		if (contains(this.#never, address)) {
			return new EditFailure(`The address ${host} may not be reached from an edit`);
		}
		if (!contains(this.#private, address) || this.#allowPrivate()) return undefined;
		return new EditFailure(
			`The address ${host} may not be reached from an edit: it is on this machine or in a ` +
				'private network (--allow-private-sources)',
		);
	}
}
