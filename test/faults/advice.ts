import type { End, EndpointKind } from './faults';

/** What an error must say: what happened, and what to do. */
interface Wanted {
	readonly message: RegExp;
	readonly advice: RegExp;
}

const PASSES = /Try again in a minute|Wait a minute.*Run (Upload|Get Result) again/;

/** An error about a request to the service. */
const ABOUT_SERVICE: Partial<Record<End, Wanted>> = {
	unreachable: { message: /could not be reached/, advice: /Check the 'Base URL'/ },
	broken: { message: /connection broke off/, advice: /Run it again when/ },
	timeout: { message: /no answer came within the time limit/, advice: /Try again later/ },
	redirect: { message: /redirects to 127\.0\.0\.1:\d+\/taken( |$)/, advice: /Set the 'Base URL'/ },
	seeElsewhere: {
		message: /redirects to 127\.0\.0\.1:\d+\/taken( |$)/,
		advice: /Set the 'Base URL'/,
	},
	unreadable: { message: /not what the interface promises/, advice: /Check that the 'Base URL'/ },
	400: { message: /answered 400/, advice: /check the input/ },
	401: { message: /API key was not accepted/, advice: /Check the 'API Key'/ },
	403: { message: /does not allow this/, advice: /credit may be used up.*another API key/ },
	404: { message: /nothing at this address/, advice: /Check the 'Base URL'/ },
	408: { message: /temporarily unavailable \(408\)/, advice: PASSES },
	409: { message: /answered 409/, advice: /check the input/ },
	413: { message: /too large/, advice: /Send a smaller file/ },
	422: { message: /did not accept the request: files\.0: not taken/, advice: /Correct the fields/ },
	429: { message: /API key's rate limit is still exceeded/, advice: /let fewer workflows run/ },
	500: { message: /temporarily unavailable \(500\)/, advice: PASSES },
	502: { message: /temporarily unavailable \(502\)/, advice: PASSES },
	503: { message: /temporarily unavailable \(503\)/, advice: PASSES },
	504: { message: /temporarily unavailable \(504\)/, advice: PASSES },
	timeIsUp: { message: /did not finish in time/, advice: /Look it up later by its ID/ },
	n8n: { message: /./, advice: /^/ },
};

const AGAIN = /Run (Upload|Get Result) again: it asks for a fresh link/;

/** Get Result has already asked for a fresh link, so it says where else the file may be. */
const FRESH =
	/Run Upload again: it asks for a fresh link|Get Result asked for a fresh link.*'signed_url'.*own storage/;

const hostAnswered = (status: number, advice: RegExp): Wanted => ({
	message: new RegExp(`host of the file answered ${status}`),
	advice,
});

/** An error about a signed link, with which the credential has nothing to do. */
const ABOUT_LINK: Partial<Record<End, Wanted>> = {
	unreachable: {
		message: /host of the file could not be reached/,
		advice: /Check that n8n can reach that host/,
	},
	broken: { message: /connection broke off/, advice: /Run it again when/ },
	timeout: { message: /did not end within its time limit/, advice: /Try again later/ },
	redirect: {
		message: /(upload|download) link redirects to 127\.0\.0\.1:\d+/,
		advice: /Redirects are not followed/,
	},
	unreadable: { message: /link returned no audio or video/, advice: /Open the link/ },
	400: hostAnswered(400, AGAIN),
	401: { message: /link is no longer valid.*\(401\)/, advice: FRESH },
	403: { message: /link is no longer valid.*\(403\)/, advice: FRESH },
	404: { message: /the (upload|download) link leads to no file/, advice: FRESH },
	408: hostAnswered(408, PASSES),
	409: hostAnswered(409, AGAIN),
	413: { message: /too large/, advice: /Send a smaller file/ },
	422: hostAnswered(422, AGAIN),
	429: hostAnswered(429, PASSES),
	500: hostAnswered(500, PASSES),
	502: hostAnswered(502, PASSES),
	503: hostAnswered(503, PASSES),
	504: hostAnswered(504, PASSES),
};

/** After these ends the service may have accepted a submission; after any other it has not. */
const MAY_HAVE_BEEN_TAKEN: ReadonlySet<End> = new Set<End>([
	'broken',
	'timeout',
	'seeElsewhere',
	'unreadable',
	'408',
	'500',
	'502',
	'503',
	'504',
]);

const CAUTION =
	/may have taken the edit, so it was not sent again.*Look at your recent edits before/;

/** Returns what an error of this kind lacks; empty if it says everything it should. */
export function missingIn(
	error: { message: string; description: string },
	end: End,
	kind: EndpointKind,
): string[] {
	const isLink = kind === 'puts' || kind === 'downloads';
	const wanted = (isLink ? ABOUT_LINK : ABOUT_SERVICE)[end];
	if (wanted === undefined) return [`the test knows no text for '${end}'`];
	const { message, description } = error;
	const findings: string[] = [];
	if (!wanted.message.test(message)) findings.push(`message: ${message}`);
	if (!wanted.advice.test(description)) findings.push(`advice: ${description}`);
	if (kind === 'submits') {
		const caution = MAY_HAVE_BEEN_TAKEN.has(end) ? CAUTION : /No edit was created/;
		if (!caution.test(description)) findings.push(`what became of the edit: ${description}`);
	}
	return findings;
}
