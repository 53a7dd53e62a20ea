/**
 * What services with this API answer beyond docs/api.md, by the name for `--dialect`. The local
 * service answers as that page says without them.
 */
export const DIALECTS = {
	'failure-bare': 'a FAILURE has no reason',
	'failure-error': 'a FAILURE has its reason in result.error',
	'failure-detail': 'a FAILURE has its reason in result.detail',
	'failure-code': 'a FAILURE has only result.code',
	progress: 'a running edit has its progress as result',
	'late-result': 'the first two reads of SUCCESS have progress as result',
	'markers-text': 'timestamps_markers_urls is one link',
	'markers-object': 'timestamps_markers_urls is an object of names and links',
	'waveform-object': 'waveform_result is an object',
	queued: 'QUEUED instead of PENDING for an edit that exists',
	processing: 'PROCESSING instead of the statuses of work',
	'poll-after': 'an unfinished edit has poll_after_seconds: 15',
	'no-credit': '403 for every new edit',
	'limit-detail': '429 as {"detail": …}',
	'few-formats': '400 for uploads other than WAV, MP3, FLAC and M4A',
	'more-keys': 'unknown configuration keys and breath: "muted" are accepted and ignored',
} as const;

/** The name of a dialect. */
export type Dialect = keyof typeof DIALECTS;

/** Whether a text is the name of a dialect. */
export function isDialect(text: string): text is Dialect {
	return Object.hasOwn(DIALECTS, text);
}
