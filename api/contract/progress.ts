import { sanitizeText } from '../sanitizeText';
import { isNothing, isRecord, numberOrNothing } from './tolerance';

/** How far the service is with an edit, where it says so. */
export interface EditProgress {
	/** Units done, in a unit of the service. */
	readonly done?: number;
	/** Units in all. */
	readonly total?: number;
	/** One line of at most 100 characters, such as `12 of 40, encode`. */
	readonly text: string;
}

/** The keys that name what the service is doing, from coarse to fine. */
const STEP_KEYS = ['state', 'phase', 'step', 'substep'] as const;

const PROGRESS_KEYS = ['done', 'total', ...STEP_KEYS, 'job_name'] as const;

/** The keys whose content makes a result more than a report of progress. */
const CONTENT_KEYS = [
	'download_url',
	'url',
	'statistics',
	'transcription',
	'transcript',
	'summarization',
	'summary',
	'social_content',
	'merged_audio_url',
	'timestamps_markers_urls',
	'waveform_result',
] as const;

const TEXT_CHARACTERS_MAXIMUM = 100;

/**
 * Returns the progress that a service sends in place of the `result`; undefined for a result, and for
 * anything else. Services send it while an edit runs (api.md#beyond-this-page), and
 * for a while with the status SUCCESS.
 */
export function progressIn(result: unknown): EditProgress | undefined {
	if (!isRecord(result) || CONTENT_KEYS.some((key) => !isNothing(result[key]))) return undefined;
	if (PROGRESS_KEYS.every((key) => isNothing(result[key]))) return undefined;
	const done = numberOrNothing.parse(result.done);
	const total = numberOrNothing.parse(result.total);
	const counted = countText(done, total);
	const steps = STEP_KEYS.map((key) => stepText(key, result[key])).filter(isWord);
	// The name of the job only helps where nothing else says what is being done.
	const named = steps.length > 0 ? steps : [stepText('job', result.job_name)].filter(isWord);
	const text = sanitizeText([counted, ...new Set(named)].filter(Boolean).join(', '));
	const counts = { ...(done !== undefined && { done }), ...(total !== undefined && { total }) };
	return { ...counts, text: text.slice(0, TEXT_CHARACTERS_MAXIMUM) };
}

function countText(done: number | undefined, total: number | undefined): string {
	if (done === undefined) return '';
	return total === undefined ? `${done} done` : `${done} of ${total}`;
}

/** A number says nothing without its name: clients of such services type the steps as numbers. */
function stepText(name: string, value: unknown): unknown {
	return typeof value === 'number' ? `${name} ${value}` : value;
}

function isWord(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
