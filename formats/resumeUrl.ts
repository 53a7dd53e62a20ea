/**
 * n8n's address of an execution, to which a service can deliver a file: the default path, or a number as
 * the last part of the path with the 64 digits that n8n signs with.
 */
const RESUME_URL =
	/^\s*https?:\/\/[^?#]+\/(webhook-waiting\/[^/?#]+\/?([?#]|\s*$)|\d+\?(.*&)?signature=[0-9a-f]{64}(&|#|\s*$))/i;

/** Whether a link is the address of an execution of n8n. It takes a PUT only, so it is no download link. */
export function isResumeUrl(link: string): boolean {
	return RESUME_URL.test(link);
}

/** How many levels of a JSON value are searched: thousands would overflow the stack. */
const DEPTH_MAXIMUM = 100;

/** A copy of a JSON value. Addresses of executions lose their query, which holds n8n's signature. */
export function withoutResumeSignatures(value: unknown, depth = 0): unknown {
	if (typeof value === 'string') return isResumeUrl(value) ? value.split(/[?#]/)[0] : value;
	if (typeof value !== 'object' || value === null || depth > DEPTH_MAXIMUM) return value;
	if (Array.isArray(value)) return value.map((entry) => withoutResumeSignatures(entry, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [key, withoutResumeSignatures(entry, depth + 1)]),
	);
}
