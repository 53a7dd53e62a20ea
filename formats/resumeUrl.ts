/**
 * Matches n8n's address of an execution, to which a service can deliver a file. It has the default path,
 * or ends with a number and the 64 digits of n8n's signature.
 */
const RESUME_URL =
	/^\s*https?:\/\/[^?#]+\/(webhook-waiting\/[^/?#]+\/?([?#]|\s*$)|\d+\?(.*&)?signature=[0-9a-f]{64}(&|#|\s*$))/i;

/** Whether a link is the address of an execution of n8n. It takes a PUT only, so it is no download link. */
export function isResumeUrl(link: string): boolean {
	return RESUME_URL.test(link);
}

/** How many levels of a JSON value are searched: thousands would overflow the stack. */
const DEPTH_MAXIMUM = 100;

/** The address of an execution without its query, which holds n8n's signature; other texts as they are. */
const withoutSignature = (text: string) => (isResumeUrl(text) ? text.split(/[?#]/)[0] : text);

/** A copy of a JSON value with each text changed; by default, without n8n's signatures. */
export function mapTexts(value: unknown, change = withoutSignature, depth = 0): unknown {
	if (typeof value === 'string') return change(value);
	if (typeof value !== 'object' || value === null || depth > DEPTH_MAXIMUM) return value;
	if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [key, mapTexts(entry, change, depth + 1)]),
	);
}
