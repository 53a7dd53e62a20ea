import type { End, EndpointKind } from './faults';

/** What an error must say: what happened, and what to do. */
interface Wanted {
	readonly message: RegExp;
	readonly advice: RegExp;
}

const PASSES =
	/Try again in a minute|Wait a minute.*(Run the node again|Fetch the edit with an Audio Editing Get Result node): it requests/;

const REDIRECTED = /redirects to another address/;

const TAKEN = /It redirects to 127\.0\.0\.1:\d+\/taken\. .*Set the 'Base URL'/;

/** An error about a request to the service. */
const ABOUT_SERVICE: Partial<Record<End, Wanted>> = {
	unreachable: { message: /could not be reached/, advice: /Check the 'Base URL'/ },
	broken: { message: /connection was lost/, advice: /Run the node again when/ },
	timeout: { message: /did not respond in time/, advice: /Try again later/ },
	redirect: { message: REDIRECTED, advice: TAKEN },
	seeElsewhere: { message: REDIRECTED, advice: TAKEN },
	unreadable: { message: /sent an unexpected response/, advice: /credential's 'Base URL'/ },
	refused: { message: /refused the request/, advice: /check the input/ },
	unavailable: { message: /temporarily unavailable/, advice: PASSES },
	401: { message: /API key was not accepted/, advice: /Check the 'API Key'/ },
	403: { message: /does not allow this/, advice: /credit may be used up.*another API key/ },
	404: { message: /nothing at this address/, advice: /Check the 'Base URL'/ },
	413: { message: /too large/, advice: /Send a smaller file/ },
	422: { message: /did not accept the request/, advice: /files\.0: not taken.* Correct what/ },
	429: {
		message: /API key's rate limit is still exceeded/,
		advice: /set 'Number of n8n Workers', or set 'Plan' to 'Custom'/,
	},
	timeIsUp: {
		message: /did not finish in time/,
		advice: /Fetch it later with an Audio Editing Get Result node and its ID/,
	},
	untested: { message: /^[A-Z'].*\. [A-Z].*\.$/, advice: /^/ },
};

const AGAIN =
	/(Run the node again|Fetch the edit with an Audio Editing Get Result node): it requests a new link/;

/** Get Result has already requested a new link, so it says where else the file may be. */
const FRESH =
	/Run the node again: it requests a new link|The node requested a new link.*'Upload Result To'.*own storage/;

const HOST_REFUSED: Wanted = { message: /file's host refused the request/, advice: AGAIN };

const HOST_UNAVAILABLE: Wanted = {
	message: /file's host is temporarily unavailable/,
	advice: PASSES,
};

/** An error about a signed link, with which the credential has nothing to do. */
const ABOUT_LINK: Partial<Record<End, Wanted>> = {
	unreachable: {
		message: /file's host could not be reached/,
		advice: /Check that n8n can reach http:\/\/127\.0\.0\.1:\d+, /,
	},
	broken: { message: /connection was lost/, advice: /Run the node again when/ },
	timeout: { message: /transfer took too long/, advice: /Try again later/ },
	redirect: {
		message: /(upload|download) link redirects to another address/,
		advice:
			/It redirects to 127\.0\.0\.1:\d+\. Redirects are (not followed|followed up to five times)/,
	},
	unreadable: { message: /link returned no audio or video/, advice: /Open the link/ },
	refused: HOST_REFUSED,
	unavailable: HOST_UNAVAILABLE,
	401: { message: /link has expired or is not valid/, advice: FRESH },
	403: { message: /link has expired or is not valid/, advice: FRESH },
	404: { message: /there is no file at the (upload|download) link/, advice: FRESH },
	413: { message: /too large/, advice: /Send a smaller file/ },
	422: HOST_REFUSED,
	429: HOST_UNAVAILABLE,
};

/** After these ends the service may have accepted a submission; after any other it has not. */
const MAY_HAVE_BEEN_TAKEN: ReadonlySet<End> = new Set<End>([
	'broken',
	'timeout',
	'seeElsewhere',
	'unreadable',
	'unavailable',
]);

/** Of these, the ends that a change of the credential mends. The advice for all other ends is only the caution. */
const NAMES_CAUSE: ReadonlySet<End> = new Set<End>(['seeElsewhere', 'unreadable']);

/** What would let a person pay twice. */
const INVITATION = /Try again|Run the (node|workflow) again/;

const CAUTION =
	/may have accepted the edit\. It was not sent again.*Look at your recent edits before/;

/** What a headline does not have: it is for people, and the details are technical. */
const TECHNICAL: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
	['more than 200 characters', /^.{201}/s],
	['a method', /\b(GET|POST|PUT|DELETE|HTTP)\b/],
	['a path', /\/[\w{]/],
	["the service's words", /not taken|Rate limit exceeded/],
	['a code of the network', /\bE[A-Z]{4,}\b/],
];

/**
 * Returns what is wrong with the headline of an item; empty if it is plain and names the item.
 *
 * @param name the file or edit of the item, if it has one
 */
export function unplainIn(message: string, end: End, name: string): string[] {
	if (end === 'untested') return [];
	const found = TECHNICAL.filter(([, pattern]) => pattern.test(message)).map(([what]) => what);
	// "333.5 s of waiting" is no status.
	if (/\b[345]\d\d\b(?!\.\d| s\b)/.test(message.replace(name, ''))) found.push('a status');
	const findings = found.map((what) => `the headline has ${what}: ${message}`);
	return message.includes(name) ? findings : [...findings, `no ${name} in: ${message}`];
}

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
	const isUncertain = kind === 'submits' && MAY_HAVE_BEEN_TAKEN.has(end);
	if (isUncertain && INVITATION.test(description)) findings.push(`invites again: ${description}`);
	const isAdvised = wanted.advice.test(description) || (isUncertain && !NAMES_CAUSE.has(end));
	if (!isAdvised) findings.push(`advice: ${description}`);
	if (kind === 'submits') {
		const caution = MAY_HAVE_BEEN_TAKEN.has(end) ? CAUTION : /No edit was created/;
		if (!caution.test(description)) findings.push(`what became of the edit: ${description}`);
	}
	return findings;
}
