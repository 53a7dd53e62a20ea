import { type Edit, isFinalStatus } from '../../api/contract';

const GET_EDIT = /^GET \/v2\/edits\/[^/]+$/;

/**
 * Recognizes polls that found nothing new. The nodes' clock leaps and the service's does not, so the
 * nodes would poll a running edit until their time is up, in no time. The proxy therefore holds such an
 * answer back until the service has something new; meanwhile the nodes' clock does not move.
 */
export class PollAnswers {
	private readonly told = new Map<string, string>();

	/** Whether the client has already received this answer, and another one will follow. */
	isStale(request: string, status: number, body: string): boolean {
		if (!GET_EDIT.test(request) || status !== 200) return false;
		const isStale = this.told.get(request) === body && willChange(JSON.parse(body) as Edit);
		this.told.set(request, body);
		return isStale;
	}
}

/** A result may follow its status late. */
function willChange({ status, result }: Edit): boolean {
	return !isFinalStatus(status) || (status === 'SUCCESS' && !result?.download_url);
}
