import type { RequestFailure } from './failure';
import { isTransient } from './retry';

/** A message in one line, and what to do about it. */
export interface ErrorText {
	message: string;
	advice: string;
}

const AGAIN = {
	upload: 'Run Upload again: it asks for a fresh link.',
	download: 'Run Get Result again: it asks for a fresh link.',
} as const;

/** Asking once more would end the same way. */
const FRESH_LINK_ADVICE =
	"Get Result asked for a fresh link, which ended the same way. If the edit was created with 'signed_url', the file is in your own storage: fetch it from there, with its own credential, and leave 'Download' empty here.";

/**
 * What to say of a signed link, which is no matter of the credential: neither its key nor its base URL
 * has a part in it. Undefined where the link has no part in it either.
 */
export function textForLink(failure: RequestFailure): ErrorText | undefined {
	const { kind, said, redirectHost } = failure;
	const isUpload = failure.request.startsWith('PUT');
	switch (kind) {
		case 'status':
			return textForLinkStatus(failure, isUpload);
		case 'unreachable':
			return {
				message: `the host of the file could not be reached (${said ?? 'no connection'})`,
				advice: 'Check that n8n can reach that host; it may be another one than the service.',
			};
		case 'timeout':
			return {
				message: 'the transfer did not end within its time limit',
				advice: 'The network is slow at the moment. Try again later.',
			};
		case 'redirect':
			return {
				message: `the ${isUpload ? 'upload' : 'download'} link redirects to ${redirectHost ?? 'another place'}`,
				advice: isUpload
					? 'Redirects are not followed, because the file would have to be sent twice.'
					: "Redirects are not followed. To fetch this file, leave 'Download' empty and give the link to an HTTP Request node.",
			};
		case 'unreadable':
			return {
				message: `what came is not a media file (${said ?? 'no details'})`,
				advice: 'Open the link in a browser to see what answers there, then run Get Result again.',
			};
		default:
			return undefined;
	}
}

function textForLinkStatus(failure: RequestFailure, isUpload: boolean): ErrorText {
	const { status = 0, said, isFreshLink } = failure;
	const because = said ? `: ${said}` : '';
	const link = isUpload ? 'upload link' : 'download link';
	const again = isFreshLink ? FRESH_LINK_ADVICE : AGAIN[isUpload ? 'upload' : 'download'];
	switch (status) {
		case 401:
		case 403:
			return {
				message: `the ${link} is not valid, or not any more (${status})${because}`,
				advice: `Links are valid for a limited time. ${again}`,
			};
		case 404:
		case 410:
			return {
				message: `there is nothing behind the ${link} (${status})${because}`,
				advice: `${again} Files are deleted 7 days after processing.`,
			};
		case 413:
			return { message: 'the file is too large for the service', advice: 'Send a smaller file.' };
	}
	return {
		message: `the host of the file answered ${status}${because}`,
		advice: isTransient(failure) ? `This passes by itself as a rule. ${again}` : again,
	};
}
