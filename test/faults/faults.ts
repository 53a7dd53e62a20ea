import { type NetworkFault, NETWORK_FAULTS } from '../../testkit/service/fake/networkFaults';
import type { Injection } from './exchange';
import {
	closeKeptAlive,
	drip,
	echoHeaders,
	endlessAnswer,
	injectionOf,
	redirect,
	resetMidAnswer,
	resetThenGone,
	setClock,
	stallMidAnswer,
	status,
	wrongTypes,
} from './injections';

/** How the target item ends: it succeeds, or fails with an error of this kind. */
export type End =
	| 'succeeds'
	| 'unreachable'
	| 'broken'
	| 'timeout'
	| 'redirect'
	/** A redirect that may name the created edit. */
	| 'seeElsewhere'
	| 'unreadable'
	/** The service or the file's host refuses, or cannot answer for now. */
	| 'refused'
	| 'unavailable'
	/** Wait For Edit polled until its time was up. */
	| 'timeIsUp'
	/** The test of the credential says what to do, whatever the cause. */
	| 'untested'
	| `${number}`;

/** The end after one strike and after a permanent fault; a single value if they are the same. */
export type Ends = End | readonly [once: End, always: End] | typeof NOT_APPLICABLE;

/** This fault does not apply to this kind of endpoint. */
export const NOT_APPLICABLE = 'does not apply';

/**
 * The kinds of endpoints, by what may be retried:
 * `asks` GET, DELETE, POST /v2/upload; `submits` POST /v2/edits and /v2/noise, which are charged;
 * `polls` Wait For Edit's own GET; `puts` and `downloads` a file; `checks` n8n's credential test.
 */
export type EndpointKind = 'asks' | 'submits' | 'polls' | 'puts' | 'downloads' | 'checks';

/** A fault, and how an item it strikes should end. */
export interface Fault {
	readonly name: string;
	/** The port handles `refuse`; everything else strikes a request. */
	readonly injection: Injection | 'refuse';
	readonly ends: Readonly<Record<EndpointKind, Ends>>;
	/** Whether the response still contains the id of a created edit, which must then not be lost. */
	readonly leavesIdReadable: boolean;
}

const again = (end: End) => ['succeeds', end] as const;

/** The network or the service fails for now: all is retried except a submission that may have arrived. */
const network = (end: End, submits: Ends = end): Fault['ends'] => ({
	asks: again(end),
	submits,
	polls: again('timeIsUp'),
	puts: again(end),
	downloads: again(end),
	checks: 'untested',
});

const everywhere = (end: End): Fault['ends'] => ({
	asks: end,
	submits: end,
	polls: end,
	puts: end,
	downloads: end,
	checks: end,
});

/** The service refuses, and would refuse a retry, too. */
const final = (end: End, downloads: Ends = end): Fault['ends'] => ({
	...everywhere(end),
	downloads,
	checks: 'untested',
});

const harmless = everywhere('succeeds');

/** Only for JSON responses; files are not JSON. */
const JSON_ONLY = { puts: NOT_APPLICABLE, downloads: NOT_APPLICABLE } as const;

const WRONGLY_TYPED: Fault['ends'] = {
	...final('unreadable'),
	polls: again('unreadable'),
	// A page instead of the file; a fresh link may lead to the file.
	downloads: again('unreadable'),
	// The storage accepted the file; whatever else it says does not matter.
	puts: 'succeeds',
	checks: 'untested',
};

const HOUR_MS = 3_600_000;

/**
 * Returns every fault and its expected ends, written by hand and not derived from the product.
 *
 * @param otherOrigin where redirects point
 */
export function faultTable(otherOrigin: string): Fault[] {
	const limitedEnds = network('429', again('429'));
	// A link may have expired, so the node requests a fresh one.
	const aboutLink = (end: End) => final(end, again(end));
	const gone = again('404');
	// A download follows, and finds nothing there.
	const redirected: Fault['ends'] = { ...final('redirect'), downloads: gone };
	const seen: Fault['ends'] = { ...redirected, submits: 'seeElsewhere' };
	const rows: ReadonlyArray<readonly [string, Fault['injection'] | NetworkFault, Fault['ends']]> = [
		['refuse', 'refuse', network('unreachable', again('unreachable'))],
		['reset before read', NETWORK_FAULTS.reset, network('broken')],
		['reset after accepted', NETWORK_FAULTS.resetAccepted, network('broken')],
		['reset mid-answer', resetMidAnswer, network('broken')],
		['stall', NETWORK_FAULTS.silent, network('timeout')],
		['stall mid-answer', stallMidAnswer, network('timeout')],
		['drip 10 KB/s', drip, harmless],
		['endless drip', endlessAnswer, network('timeout')],
		['400', status(400), final('refused')],
		['401', NETWORK_FAULTS.keyRefused, aboutLink('401')],
		['403', status(403), aboutLink('403')],
		['404', status(404), aboutLink('404')],
		['408', status(408), network('unavailable')],
		['409', status(409), final('refused')],
		['413', status(413), final('413')],
		['422', NETWORK_FAULTS.invalid, final('422')],
		['429', NETWORK_FAULTS.limited, limitedEnds],
		['429 as detail', status(429, { body: { detail: 'Rate limit exceeded' } }), limitedEnds],
		['429 retry in s', NETWORK_FAULTS.limitedForSeconds, limitedEnds],
		['500', NETWORK_FAULTS.failed, network('unavailable')],
		['500 after accepted', NETWORK_FAULTS.failedAccepted, network('unavailable')],
		['502 HTML', NETWORK_FAULTS.badGateway, network('unavailable')],
		['503', status(503), network('unavailable')],
		['504', status(504), network('unavailable')],
		['truncated JSON', NETWORK_FAULTS.half, { ...network('broken'), ...JSON_ONLY }],
		['wrong types', wrongTypes, WRONGLY_TYPED],
		['redirect 302', redirect(302, otherOrigin), seen],
		['redirect 303', redirect(303, otherOrigin), seen],
		['redirect 307', redirect(307, otherOrigin), redirected],
		[
			'reset, then 404',
			resetThenGone(status(404)),
			{ ...network('broken'), asks: gone, polls: gone, downloads: gone },
		],
		['headers echoed', echoHeaders, { ...harmless, ...JSON_ONLY }],
		['clock back 1 h', setClock(-HOUR_MS), harmless],
		['clock forward 1 h', setClock(HOUR_MS), harmless],
		['keep-alive closed', closeKeptAlive, harmless],
	];
	return rows.map(([name, injection, ends]) => ({
		name,
		injection: typeof injection === 'object' ? injectionOf(injection) : injection,
		ends,
		leavesIdReadable: injection === wrongTypes,
	}));
}
