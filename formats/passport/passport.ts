import {
	KIND_NAMES,
	STATISTICS_KEYS,
	type EditResult,
	type StatisticsKey,
} from '../../api/contract';
import { isNothing } from '../../api/contract/tolerance';
import { CUT_FIELDS, countInWords } from '../countsInWords';
import { listTime, onOneLine, usableSeconds } from '../values';

/** What is known of an edit besides its result. */
export interface PassportDetails {
	/** The lengths of the recording and of the edited file in seconds, as they were read from the files. */
	readonly beforeSeconds?: number;
	readonly afterSeconds?: number;
	/** Whether to name the person who approved the cuts. */
	readonly namesApprover: boolean;
}

const WRITTEN = ['transcript', 'show notes', 'posts'] as const;

/** What was written from what is said. */
type Written = (typeof WRITTEN)[number];

/** What was done in an edit, as far as its result states it: what it does not state is missing. */
export interface Passport {
	/** All of it in words. */
	readonly sentence: string;
	readonly durationBeforeSeconds?: number;
	readonly durationAfterSeconds?: number;
	/** By how much shorter pauses made it. */
	readonly pausesSeconds?: number;
	/** How many of each kind. */
	readonly cuts?: Readonly<Partial<Record<(typeof CUT_FIELDS)[StatisticsKey], number>>>;
	readonly noiseReducedByUpToDb?: number;
	readonly loudnessBeforeLufs?: number;
	readonly loudnessAfterLufs?: number;
	readonly written?: readonly Written[];
	/** Only where it is certain. */
	readonly nothingGenerated?: true;
	readonly approvedBy?: string;
}

type Figures = Omit<Passport, 'sentence'>;

/** A difference that is more than the rounding of an encoder. */
const SHORTER_SECONDS = 0.5;

/** With one decimal, less is 0: it is not worth saying. */
const MIN_SAID = 0.05;

/** Nobody hears that noise is lower by less, dB. */
const MIN_NOISE_DB = 1;

/** Levels beyond these are none of a recording. */
const MAX_LEVEL_DB = 200;

const MAX_NAME_CHARACTERS = 100;

/**
 * What was done in an edit, as a sentence and in figures, for show notes and feeds. It has only what the result or the
 * files state.
 *
 * @returns undefined if they state nothing
 */
export function passportOf(
	result: EditResult | undefined,
	details: PassportDetails,
): Passport | undefined {
	if (result === undefined) return undefined;
	const figures = figuresOf(result, details);
	const sentences = [
		doneIn(figures),
		lengthIn(figures),
		writtenIn(figures),
		figures.nothingGenerated && 'Nothing was generated',
		figures.approvedBy && `Cuts approved by ${figures.approvedBy}`,
	].filter((sentence) => typeof sentence === 'string');
	if (sentences.length === 0) return undefined;
	return { sentence: `${sentences.join('. ')}.`, ...figures };
}

function figuresOf(
	result: EditResult,
	{ beforeSeconds, afterSeconds, namesApprover }: PassportDetails,
): Figures {
	const { statistics } = result;
	const loudBefore = usableLevel(result.loudness_before_lufs);
	const loudAfter = usableLevel(result.loudness_after_lufs);
	const before = usableSeconds(beforeSeconds ?? result.duration_before_seconds);
	const after = usableSeconds(afterSeconds ?? result.duration_after_seconds);
	const pauses = usableSeconds(result.silences_saved_seconds);
	const noiseDb = usableLevel(result.noise_reduction_db) ?? 0;
	const counted = STATISTICS_KEYS.flatMap((key) => {
		const count = Number(statistics?.[key] ?? NaN);
		// Not -0, which JSON writes as 0.
		return Number.isSafeInteger(count) && count >= 0 ? [[CUT_FIELDS[key], count + 0] as const] : [];
	});
	const written = writtenFor(result);
	const approver = namesApprover ? onOneLine(result.approved_by ?? '') : '';
	const isLeveled = loudBefore !== undefined && loudAfter !== undefined;
	return {
		...(before !== undefined && { durationBeforeSeconds: rounded(before) }),
		...(after !== undefined && { durationAfterSeconds: rounded(after) }),
		...(pauses !== undefined && pauses >= MIN_SAID && { pausesSeconds: rounded(pauses) }),
		...(counted.length > 0 && { cuts: Object.fromEntries(counted) }),
		...(noiseDb >= MIN_NOISE_DB && { noiseReducedByUpToDb: rounded(noiseDb) }),
		...(isLeveled && {
			loudnessBeforeLufs: rounded(loudBefore),
			loudnessAfterLufs: rounded(loudAfter),
		}),
		...(written.length > 0 && { written }),
		// A hosted service does not say how it makes sound or texts.
		...(result.edited_by === 'local' && isUnwritten(written) && { nothingGenerated: true }),
		...(approver !== '' && { approvedBy: [...approver].slice(0, MAX_NAME_CHARACTERS).join('') }),
	};
}

/** What there is: services return empty texts and lists for what nobody asked for. */
function writtenFor({
	transcription,
	summarization: notes,
	social_content: posts,
}: EditResult): Written[] {
	const all: Readonly<Record<Written, readonly unknown[]>> = {
		transcript: [transcription?.paragraphs, transcription?.transcription?.words],
		'show notes': [
			notes?.title,
			notes?.summary,
			notes?.chapters,
			notes?.summaries,
			notes?.key_learnings,
			notes?.summary_of_summary,
			notes?.episode_description,
		],
		posts: [posts?.newsletter, posts?.twitter_thread, posts?.linkedin],
	};
	return WRITTEN.filter((kind) => all[kind].some(isFilled));
}

const isFilled = (value: unknown) => !isNothing(typeof value === 'string' ? value.trim() : value);

/** A transcript is what was said; notes and posts are new. */
const isUnwritten = (written: readonly Written[]) => written.every((kind) => kind === 'transcript');

/** What was removed, reduced and leveled. */
function doneIn(figures: Figures): string | undefined {
	const { noiseReducedByUpToDb: noiseDb, loudnessAfterLufs: loudness } = figures;
	const cut = cutsIn(figures);
	// No service says whether it muted what it counts, and then nothing is shorter.
	const verb = isShorter(figures) ? 'removed' : 'removed or muted';
	const done = [
		cut.length > 0 && `${inWords(cut)} ${verb}`,
		noiseDb !== undefined && `noise reduced by up to ${decimal(noiseDb)} dB`,
		loudness !== undefined && leveledIn(decimal(figures.loudnessBeforeLufs ?? loudness), loudness),
	].filter((one) => one !== false);
	if (done.length === 0) return undefined;
	const text = done.join(', ');
	return text[0].toUpperCase() + text.slice(1);
}

function leveledIn(before: string, loudness: number): string {
	const after = decimal(loudness);
	return `loudness leveled ${before === after ? '' : `from ${before} `}to ${after} LUFS`;
}

function cutsIn({ pausesSeconds, cuts = {} }: Figures): string[] {
	const pauses = pausesSeconds === undefined ? [] : [`${lengthOf(pausesSeconds)} of pauses`];
	const counts = STATISTICS_KEYS.flatMap((key) => {
		const count = cuts[CUT_FIELDS[key]] ?? 0;
		const isSaid = key === 'DEADAIR' && pauses.length > 0;
		return count <= 0 || isSaid ? [] : [countInWords(count, KIND_NAMES[key])];
	});
	return [...pauses, ...counts];
}

/** Whether the edited file is shorter, as far as that is known. */
function isShorter(figures: Figures): boolean {
	const { durationBeforeSeconds: before, durationAfterSeconds: after, pausesSeconds } = figures;
	if (before === undefined || after === undefined) return pausesSeconds !== undefined;
	return before - after >= SHORTER_SECONDS;
}

function lengthIn(figures: Figures): string | undefined {
	const { durationBeforeSeconds: before, durationAfterSeconds: after } = figures;
	if (before === undefined || after === undefined || !isShorter(figures)) return undefined;
	if (listTime(before) === listTime(after)) return undefined;
	return `Shortened from ${listTime(before)} to ${listTime(after)}`;
}

function writtenIn({ written = [] }: Figures): string | undefined {
	if (written.length === 0) return undefined;
	const text = inWords(written);
	return `${text[0].toUpperCase()}${text.slice(1)} written automatically`;
}

/** `a, b and c`. */
function inWords(entries: readonly string[]): string {
	const before = entries.slice(0, -1).join(', ');
	return [before, entries.at(-1)].filter(Boolean).join(' and ');
}

/** Seconds up to two minutes, then minutes: nobody wants to know more. */
function lengthOf(seconds: number): string {
	if (Math.round(seconds) >= 120) return `${Math.round(seconds / 60)} min`;
	return `${seconds < 10 ? decimal(seconds) : Math.round(seconds)} s`;
}

/** With at most one decimal, and with a true minus. */
function decimal(value: number): string {
	return String(Math.round(value * 10) / 10 || 0).replace('-', '−');
}

function usableLevel(level: number | undefined): number | undefined {
	return level !== undefined && Math.abs(level) <= MAX_LEVEL_DB ? level : undefined;
}

/** Three decimals are exact enough for lengths and loudness. There is one zero. */
function rounded(value: number): number {
	return Math.round(value * 1_000) / 1_000 || 0;
}
