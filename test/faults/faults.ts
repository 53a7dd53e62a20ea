import { systemTime } from '../support/leapingTime';
import type { Injection } from './exchange';
import {
	GATEWAY_PAGE,
	RATE_LIMIT_BODY,
	VALIDATION_BODY,
	closeKeptAlive,
	drip,
	echoHeaders,
	endlessAnswer,
	redirect,
	resetAfterAccepted,
	resetMidAnswer,
	resetThenGone,
	resetUnread,
	setClock,
	shoutHeaders,
	stall,
	stallMidAnswer,
	status,
	truncatedJson,
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
	/** Wait For Edit polled until its time was up. */
	| 'timeIsUp'
	/** n8n shows its own text. */
	| 'n8n'
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
	readonly leavesIdReadable?: true;
}

const again = (end: End) => ['succeeds', end] as const;

/** The network fails: everything is retried except a submission that may have arrived. */
const network = (end: End, submits: Ends = end): Fault['ends'] => ({
	asks: again(end),
	submits,
	polls: again('timeIsUp'),
	puts: again(end),
	downloads: again(end),
	checks: 'n8n',
});

/** The service is temporarily unavailable. */
const passing = (end: End, submits: Ends = end): Fault['ends'] => network(end, submits);

/** The service refuses, and would refuse a retry, too. */
const final = (end: End, downloads: Ends = end): Fault['ends'] => ({
	asks: end,
	submits: end,
	polls: end,
	puts: end,
	downloads,
	checks: 'n8n',
});

const harmless: Fault['ends'] = {
	asks: 'succeeds',
	submits: 'succeeds',
	polls: 'succeeds',
	puts: 'succeeds',
	downloads: 'succeeds',
	checks: 'succeeds',
};

/** n8n's own time limit of 300 s, which we cannot change. */
const N8N_LIMIT = { checks: NOT_APPLICABLE } as const;

/** n8n itself retries a 401, in case the credential has a token to renew. */
const N8N_ASKS_AGAIN = { checks: again('n8n') } as const;

/** Only for JSON responses; files are not JSON. */
const JSON_ONLY = { puts: NOT_APPLICABLE, downloads: NOT_APPLICABLE } as const;

const RETRY_AFTER_SECONDS = 2;

const HOUR_MS = 3_600_000;

function inSeconds(): Record<string, string> {
	return { 'retry-after': String(RETRY_AFTER_SECONDS) };
}

function asDate(): Record<string, string> {
	const untilMs = systemTime.timeOfDay() + RETRY_AFTER_SECONDS * 1_000;
	return { 'retry-after': new Date(untilMs).toUTCString() };
}

/** The link has expired, so the node requests a fresh one. */
const freshLink = (end: End) => again(end);

/**
 * Returns every fault and its expected ends, written by hand and not derived from the product.
 *
 * @param otherOrigin where redirects point
 */
export function faultTable(otherOrigin: string): Fault[] {
	const limited = (headers?: Record<string, string>) =>
		status(429, { body: RATE_LIMIT_BODY, headers });
	return [
		{ name: 'refuse', injection: 'refuse', ends: network('unreachable', again('unreachable')) },
		{ name: 'reset before read', injection: resetUnread, ends: network('broken') },
		{ name: 'reset after accepted', injection: resetAfterAccepted, ends: network('broken') },
		{ name: 'reset mid-answer', injection: resetMidAnswer, ends: network('broken') },
		{ name: 'stall', injection: stall, ends: { ...network('timeout'), ...N8N_LIMIT } },
		{
			name: 'stall mid-answer',
			injection: stallMidAnswer,
			ends: { ...network('timeout'), ...N8N_LIMIT },
		},
		{ name: 'drip 10 KB/s', injection: drip, ends: harmless },
		{
			name: 'endless drip',
			injection: endlessAnswer,
			ends: { ...network('timeout'), ...N8N_LIMIT },
		},
		{ name: '400', injection: status(400), ends: final('400') },
		{
			name: '401',
			injection: status(401),
			ends: { ...final('401', freshLink('401')), ...N8N_ASKS_AGAIN },
		},
		{ name: '403', injection: status(403), ends: final('403', freshLink('403')) },
		{ name: '404', injection: status(404), ends: final('404', freshLink('404')) },
		{ name: '408', injection: status(408), ends: passing('408') },
		{ name: '409', injection: status(409), ends: final('409') },
		{ name: '413', injection: status(413), ends: final('413') },
		{ name: '422', injection: status(422, { body: VALIDATION_BODY }), ends: final('422') },
		{ name: '429', injection: limited(), ends: passing('429', again('429')) },
		{
			name: '429 as detail',
			injection: status(429, { body: { detail: 'Rate limit exceeded' } }),
			ends: passing('429', again('429')),
		},
		{
			name: '429 retry in s',
			injection: limited(inSeconds()),
			ends: passing('429', again('429')),
		},
		{
			name: '429 retry at date',
			injection: async (exchange) => await limited(asDate())(exchange),
			ends: passing('429', again('429')),
		},
		// Neither asks for a wait, so the tries use their own back-off.
		{
			name: '429 retry in 0 s',
			injection: limited({ 'retry-after': '0' }),
			ends: passing('429', again('429')),
		},
		{
			name: '429 retry in the past',
			injection: limited({ 'retry-after': new Date(0).toUTCString() }),
			ends: passing('429', again('429')),
		},
		{ name: '500', injection: status(500), ends: passing('500') },
		{ name: '502 HTML', injection: status(502, { body: GATEWAY_PAGE }), ends: passing('502') },
		{ name: '503', injection: status(503), ends: passing('503') },
		{ name: '504', injection: status(504), ends: passing('504') },
		{
			name: 'truncated JSON',
			injection: truncatedJson,
			ends: { ...network('broken'), ...JSON_ONLY, checks: 'succeeds' },
		},
		{
			name: 'wrong types',
			injection: wrongTypes,
			leavesIdReadable: true,
			ends: {
				...final('unreadable'),
				polls: again('unreadable'),
				// A page instead of the file; a fresh link may lead to the file.
				downloads: freshLink('unreadable'),
				// The storage accepted the file; whatever else it says does not matter.
				puts: 'succeeds',
				checks: 'succeeds',
			},
		},
		{
			name: 'redirect 302',
			injection: redirect(302, otherOrigin),
			ends: { ...final('redirect'), submits: 'seeElsewhere' },
		},
		{
			name: 'redirect 303',
			injection: redirect(303, otherOrigin),
			ends: { ...final('redirect'), submits: 'seeElsewhere' },
		},
		{ name: 'redirect 307', injection: redirect(307, otherOrigin), ends: final('redirect') },
		{
			name: 'reset, then 404',
			injection: resetThenGone(status(404)),
			ends: {
				...network('broken'),
				asks: again('404'),
				polls: again('404'),
				downloads: again('404'),
			},
		},
		{ name: 'headers echoed', injection: echoHeaders, ends: { ...harmless, ...JSON_ONLY } },
		{ name: 'clock back 1 h', injection: setClock(-HOUR_MS), ends: harmless },
		{ name: 'clock forward 1 h', injection: setClock(HOUR_MS), ends: harmless },
		{ name: 'header case', injection: shoutHeaders, ends: harmless },
		{ name: 'keep-alive closed', injection: closeKeptAlive, ends: harmless },
	];
}
