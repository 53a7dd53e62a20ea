import { isWebUrl } from '../api/contract';
import { URL_IN_TEXT } from '../api/sanitizeText';

/** The path of an execution that waits, unless the administrator of n8n has chosen another. */
const DEFAULT_PATH = /\/webhook-waiting\/[^/]+\/?$/;

/**
 * Whether a link is the address of an execution of n8n, this one or another. It takes a PUT only, so it is
 * no download link.
 *
 * @param waitingBase where the executions of this n8n wait, if known: the address without the execution
 */
export function isResumeUrl(link: string, waitingBase: string | undefined): boolean {
	if (!isWebUrl(link)) return false;
	const { origin, pathname } = new URL(link);
	const isHere = waitingBase !== undefined && `${origin}${pathname}`.startsWith(`${waitingBase}/`);
	return isHere || DEFAULT_PATH.test(pathname);
}

/** A text with the addresses of executions without their query, which holds n8n's signature and our key. */
export function withoutExecutionKeys(text: string, waitingBase: string | undefined): string {
	return text.replace(URL_IN_TEXT, (url) =>
		isResumeUrl(url, waitingBase) ? url.split(/[?#]/)[0] : url,
	);
}
