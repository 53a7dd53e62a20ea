/** n8n's addresses of executions, to which a service can deliver a file. */

/** The default path, or a number as the last part of the path with the 64 digits that n8n signs with. */
const RESUME_URL =
	/^\s*https?:\/\/[^?#]+\/(webhook-waiting\/[^/?#]+\/?([?#]|\s*$)|\d+\?(.*&)?signature=[0-9a-f]{64}(&|#|\s*$))/i;

/** Whether a link is the address of an execution of n8n. Only PUT works there, so it is no download link. */
export function isResumeUrl(link: string): boolean {
	return RESUME_URL.test(link);
}

/** Levels of a JSON value that are searched; thousands overflow the stack. */
const DEPTH_MAXIMUM = 100;

/** A JSON value whose addresses of executions have lost their queries: these hold n8n's signature. */
export function withoutResumeSignatures(value: unknown, depth = 0): unknown {
	if (typeof value === 'string') return isResumeUrl(value) ? value.split(/[?#]/)[0] : value;
	if (typeof value !== 'object' || value === null || depth > DEPTH_MAXIMUM) return value;
	if (Array.isArray(value)) return value.map((entry) => withoutResumeSignatures(entry, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [key, withoutResumeSignatures(entry, depth + 1)]),
	);
}
