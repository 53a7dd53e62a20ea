/**
 * The figures that more than one text states, each with its source in the code and the sentences that
 * state it. In a sentence, `#` is a number, in digits or in words; the rest is a regular expression.
 */
import type { INodeProperties } from 'n8n-workflow';

import {
	FIRST_POLL_DELAY_SECONDS,
	MINIMUM_POLL_INTERVAL_SECONDS,
	POLL_INTERVAL_SECONDS,
	RETENTION_DAYS,
	STATUS_CALLS_PER_MINUTE,
	SUBMISSIONS_PER_MINUTE_ENTERPRISE,
	SUBMISSIONS_PER_MINUTE_STANDARD,
	TARGET_LUFS_DEFAULT,
	TARGET_LUFS_MAXIMUM,
	TARGET_LUFS_MINIMUM,
} from '../../api/contract/limits.ts';
import { SHOWN_CHARACTERS_MAXIMUM } from '../../api/sanitizeText.ts';
import { LONGEST_CUE_MS, SHORTEST_CUE_MS } from '../../formats/transcript/cueDivision.ts';
import { LINE_LENGTH_MAXIMUM } from '../../formats/transcript/cueLines.ts';
import { SHORTEST_CHAPTER_SECONDS } from '../../formats/notes/chapters.ts';
import { FEWEST_CHAPTERS } from '../../formats/notes/episodeDescription.ts';
import { LONGEST_MS, SHORTEST_MS, SOUNDBITES_MAXIMUM } from '../../formats/feed/soundbites.ts';
import { LOUDNESS_FOR_FIELD } from '../../nodes/CreateEdit/config/loudnessFor.ts';
import { COVER_BYTES_MAXIMUM } from '../../nodes/GetResult/tags/cover.ts';
import { SHORTEST_PARK_MS } from '../../nodes/WaitForEdit/delivery/park.ts';
import { COMMAND } from '../../service/shared/flags.mts';
import { TRANSFERS_AT_ONCE_FIELD } from '../../nodes/shared/form/fields.ts';
import { OUR_NODES } from '../../test/support/ourNodes.ts';
import { POLL_AFTER_MAXIMUM_MS } from '../../waiting/schedule.ts';
import { allFields, type Choice, choicesOf } from './form.mts';

export interface SharedFigure {
	readonly name: string;
	/** Each `#` of a statement must be one of these. */
	readonly values: readonly number[];
	readonly statements: readonly string[];
}

/** Returns the fields of all nodes with this name. */
function fieldsNamed(name: string): INodeProperties[] {
	const fields = Object.values(OUR_NODES).flatMap(({ description }) => allFields(description));
	return fields.filter((field) => field.name === name);
}

const defaultsOf = (name: string) => fieldsNamed(name).map((field) => Number(field.default));
const descriptionsOf = (name: string) => fieldsNamed(name).map(({ description }) => description);

/** Returns the numbers in a text of the code. */
function numbersIn(text = ''): number[] {
	return [...text.matchAll(/[−-]?\d+/g)].map(([number]) => Number(number.replace('−', '-')));
}

/** Returns what can be chosen as the platform whose label begins so. */
function platform(start: string): Choice {
	const found = choicesOf(LOUDNESS_FOR_FIELD).find(({ name }) => name.startsWith(start));
	if (found === undefined) throw new Error(`No platform begins with ${start}`);
	return found;
}

/** Returns the default of a flag of the local service. */
function flag(name: string): number {
	return Number(COMMAND.options.find(({ long }) => long === name)?.defaultValue);
}

export const SHARED_FIGURES: readonly SharedFigure[] = [
	{
		name: 'submissions a minute',
		values: [SUBMISSIONS_PER_MINUTE_STANDARD],
		statements: [
			'# (?:uploads and edits|submissions|uploads or edits) (?:a|per|in a) minute',
			'Standard \\(# a Minute\\)',
			'limit of # a minute',
			'allows # uploads and edits',
			'share one limit: # a minute',
			'allows the key in a minute: #',
			'of # submissions and',
		],
	},
	{
		name: 'submissions a minute, enterprise',
		values: [SUBMISSIONS_PER_MINUTE_ENTERPRISE],
		statements: [
			'Enterprise \\(# a Minute\\)',
			'enterprise (?:keys?|plan)?,? ?(?:has |have |allows? )?#\\b',
			'# for enterprise keys',
		],
	},
	{
		name: 'status calls a minute',
		values: [STATUS_CALLS_PER_MINUTE],
		statements: ['# (?:status calls|polls|calls|deletions) (?:a|per) minute'],
	},
	{
		name: 'limits of a key',
		values: [
			SUBMISSIONS_PER_MINUTE_STANDARD,
			SUBMISSIONS_PER_MINUTE_ENTERPRISE,
			STATUS_CALLS_PER_MINUTE,
		],
		statements: ['# a minute (?:for each|per) key'],
	},
	{
		name: 'days until the service deletes',
		values: [RETENTION_DAYS],
		statements: [
			'delete[sd]?\\b[^.;]{0,60}? (?:after )?# days (?:after|later)',
			'deletes[^.;]{0,40} after # days',
			'# days after processing',
			'(?:last|within|less than|down for up to|for) # days',
		],
	},
	{
		name: 'seconds until the first poll',
		values: [FIRST_POLL_DELAY_SECONDS],
		statements: ['first (?:time|poll|status call|look)(?: comes| is)? # (?:s|seconds)\\b'],
	},
	{
		name: 'seconds between two polls of an edit',
		values: [POLL_INTERVAL_SECONDS, MINIMUM_POLL_INTERVAL_SECONDS],
		statements: [
			'(?:asks?|polls?|polled)\\b[^.;]{0,60}(?<!one )every # (?:s|seconds)\\b',
			'then one every # (?:s|seconds)\\b',
		],
	},
	{
		name: 'longest time between polls that the service can ask for, in minutes',
		values: [POLL_AFTER_MAXIMUM_MS / 60_000],
		statements: ['(?:next poll|next call|honours|asks for)[^.;]{0,60}(?:at most|up to) # minutes'],
	},
	{
		name: 'minutes of Maximum Wait',
		values: defaultsOf('maximumWaitMinutes'),
		statements: [
			'Maximum Wait(?: is|,)? # minutes',
			'# minutes by default',
			'Wait For Edit fails after # minutes',
		],
	},
	{
		name: "seconds that n8n's Wait node must sleep",
		values: [SHORTEST_PARK_MS / 1_000],
		statements: ['sleeps? (?:at least |at |below )?\\(?# (?:s|seconds)', 'Keep it at # seconds'],
	},
	{
		name: 'loudness when none is set',
		values: [TARGET_LUFS_DEFAULT],
		statements: ['(?:loudness|mix) to (?:the target \\()?# LUFS', '# when `X` is true'],
	},
	{
		name: 'range of the loudness',
		values: [TARGET_LUFS_MINIMUM, TARGET_LUFS_MAXIMUM],
		statements: ['loudness[^.;]{0,40}?(?:from )?# to #'],
	},
	...[
		['Apple Podcasts', '# (?:LUFS )?for Apple Podcasts'],
		['Audiobook', '# (?:LUFS )?for audiobooks'],
		['Broadcast in Europe', '# (?:LUFS )?for broadcast in Europe'],
		['Spotify', '# (?:LUFS )?for Spotify'],
	].map(([start = '', statement = '']) => ({
		name: `loudness for ${start}`,
		values: numbersIn(platform(start).name).filter((number) => number < 0),
		statements: [statement],
	})),
	{
		name: "levels of ACX's audiobooks",
		values: numbersIn(platform('Audiobook').description),
		statements: ['ACX asks for # to # dB RMS and peaks below # dB'],
	},
	{
		name: 'megabytes of a cover',
		values: [COVER_BYTES_MAXIMUM / 1_024 / 1_024],
		statements: ['cover\\b[^.;]{0,60}?# MB'],
	},
	{
		name: 'soundbites and their seconds',
		values: [1, SOUNDBITES_MAXIMUM, SHORTEST_MS / 1_000, LONGEST_MS / 1_000],
		statements: ['# to # passages of # to # (?:s|seconds)', 'sentences that lasts # to # seconds'],
	},
	{
		name: 'characters of a line of subtitles',
		values: [LINE_LENGTH_MAXIMUM],
		statements: ['lines of # characters'],
	},
	{
		name: 'seconds of a cue',
		values: [SHORTEST_CUE_MS / 1_000, LONGEST_CUE_MS / 1_000],
		statements: ['(?:stay|last) # to # (?:s|seconds)\\b'],
	},
	{
		name: "chapters in an episode's description",
		values: [FEWEST_CHAPTERS],
		statements: ['at least # chapters'],
	},
	{
		name: 'seconds of a chapter',
		values: [SHORTEST_CHAPTER_SECONDS],
		statements: ['each at least # (?:s|seconds) long', 'of at least # seconds each'],
	},
	{
		name: 'characters of a text from the service',
		values: [SHOWN_CHARACTERS_MAXIMUM],
		statements: ['(?:Text from (?:the service|outside))[^.;]*at most # characters'],
	},
	{
		name: 'hours of a source of the local service',
		values: [flag('--longest-source-hours')],
		statements: ['local service takes [^.;]*# hours', 'recording (?:takes up to|may have) # hours'],
	},
	{
		name: 'gibibytes of a source of the local service',
		values: [flag('--source-size-limit-bytes') / 1_024 ** 3],
		statements: ['local service takes (?:files up to )?# GiB'],
	},
	{
		name: 'typical minutes of an edit',
		values: numbersIn(descriptionsOf('maximumWaitMinutes').join(' ')),
		statements: ['hour(?: of sound)? takes # to # minutes', '# to # minutes for an hour'],
	},
	{
		name: 'transfers in parallel',
		values: [Number(TRANSFERS_AT_ONCE_FIELD.default)],
		statements: ["move # (?:items' )?files (?:at a time|in parallel)"],
	},
	{
		name: 'nodes of the package',
		values: [Object.keys(OUR_NODES).length],
		statements: ['\\bthe # nodes (?:found|(?:of|in) (?:the|this) package)'],
	},
];
