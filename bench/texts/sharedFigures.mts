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

/** By the name of a figure: each `#` of a statement must be one of these numbers. */
export type SharedFigures = Readonly<
	Record<string, readonly [values: readonly number[], ...statements: string[]]>
>;

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

const PLATFORMS = [
	['Apple Podcasts', '# (?:LUFS )?for Apple Podcasts'],
	['Audiobook', '# (?:LUFS )?for audiobooks'],
	['Broadcast in Europe', '# (?:LUFS )?for broadcast in Europe'],
	['Spotify', '# (?:LUFS )?for Spotify'],
] as const;

export const SHARED_FIGURES: SharedFigures = {
	'submissions a minute': [
		[SUBMISSIONS_PER_MINUTE_STANDARD],
		'# (?:uploads and edits|submissions|uploads or edits) (?:a|per|in a) minute',
		'Standard \\(# a Minute\\)',
		'limit of # a minute',
		'allows # uploads and edits',
		'share one limit: # a minute',
		'allows the key in a minute: #',
		'of # submissions and',
	],
	'submissions a minute, enterprise': [
		[SUBMISSIONS_PER_MINUTE_ENTERPRISE],
		'Enterprise \\(# a Minute\\)',
		'enterprise (?:keys?|plan)?,? ?(?:has |have |allows? )?#\\b',
		'# for enterprise keys',
	],
	'status calls a minute': [
		[STATUS_CALLS_PER_MINUTE],
		'# (?:status calls|polls|calls|deletions) (?:a|per) minute',
	],
	'limits of a key': [
		[SUBMISSIONS_PER_MINUTE_STANDARD, SUBMISSIONS_PER_MINUTE_ENTERPRISE, STATUS_CALLS_PER_MINUTE],
		'# a minute (?:for each|per) key',
	],
	'days until the service deletes': [
		[RETENTION_DAYS],
		'delete[sd]?\\b[^.;]{0,60}? (?:after )?# days (?:after|later)',
		'deletes[^.;]{0,40} after # days',
		'# days after processing',
		'(?:last|within|less than|down for up to|for) # days',
	],
	'seconds until the first poll': [
		[FIRST_POLL_DELAY_SECONDS],
		'first (?:time|poll|status call|look)(?: comes| is)? # (?:s|seconds)\\b',
	],
	'seconds between two polls of an edit': [
		[POLL_INTERVAL_SECONDS, MINIMUM_POLL_INTERVAL_SECONDS],
		'(?:asks?|polls?|polled)\\b[^.;]{0,60}(?<!one )every # (?:s|seconds)\\b',
		'then one every # (?:s|seconds)\\b',
	],
	'longest time between polls that the service can ask for, in minutes': [
		[POLL_AFTER_MAXIMUM_MS / 60_000],
		'(?:next poll|next call|honours|asks for)[^.;]{0,60}(?:at most|up to) # minutes',
	],
	'minutes of Maximum Wait': [
		defaultsOf('maximumWaitMinutes'),
		'Maximum Wait(?: is|,)? # minutes',
		'# minutes by default',
		'Wait For Edit fails after # minutes',
	],
	"seconds that n8n's Wait node must sleep": [
		[SHORTEST_PARK_MS / 1_000],
		'sleeps? (?:at least |at |below )?\\(?# (?:s|seconds)',
		'Keep it at # seconds',
	],
	'loudness when none is set': [
		[TARGET_LUFS_DEFAULT],
		'(?:loudness|mix) to (?:the target \\()?# LUFS',
		'# when `X` is true',
	],
	'range of the loudness': [
		[TARGET_LUFS_MINIMUM, TARGET_LUFS_MAXIMUM],
		'loudness[^.;]{0,40}?(?:from )?# to #',
	],
	...Object.fromEntries(
		PLATFORMS.map(([start, statement]): [string, SharedFigures[string]] => [
			`loudness for ${start}`,
			[numbersIn(platform(start).name).filter((number) => number < 0), statement],
		]),
	),
	"levels of ACX's audiobooks": [
		numbersIn(platform('Audiobook').description),
		'ACX asks for # to # dB RMS and peaks below # dB',
	],
	'megabytes of a cover': [[COVER_BYTES_MAXIMUM / 1_024 / 1_024], 'cover\\b[^.;]{0,60}?# MB'],
	'soundbites and their seconds': [
		[1, SOUNDBITES_MAXIMUM, SHORTEST_MS / 1_000, LONGEST_MS / 1_000],
		'# to # passages of # to # (?:s|seconds)',
		'sentences that lasts # to # seconds',
	],
	'characters of a line of subtitles': [[LINE_LENGTH_MAXIMUM], 'lines of # characters'],
	'seconds of a cue': [
		[SHORTEST_CUE_MS / 1_000, LONGEST_CUE_MS / 1_000],
		'(?:stay|last) # to # (?:s|seconds)\\b',
	],
	"chapters in an episode's description": [[FEWEST_CHAPTERS], 'at least # chapters'],
	'seconds of a chapter': [
		[SHORTEST_CHAPTER_SECONDS],
		'each at least # (?:s|seconds) long',
		'of at least # seconds each',
	],
	'characters of a text from the service': [
		[SHOWN_CHARACTERS_MAXIMUM],
		'(?:Text from (?:the service|outside))[^.;]*at most # characters',
	],
	'hours of a source of the local service': [
		[flag('--longest-source-hours')],
		'local service takes [^.;]*# hours',
		'recording (?:takes up to|may have) # hours',
	],
	'gibibytes of a source of the local service': [
		[flag('--source-size-limit-bytes') / 1_024 ** 3],
		'local service takes (?:files up to )?# GiB',
	],
	'typical minutes of an edit': [
		numbersIn(descriptionsOf('maximumWaitMinutes').join(' ')),
		'hour(?: of sound)? takes # to # minutes',
		'# to # minutes for an hour',
	],
	'transfers in parallel': [
		[Number(TRANSFERS_AT_ONCE_FIELD.default)],
		"move # (?:items' )?files (?:at a time|in parallel)",
	],
	'nodes of the package': [
		[Object.keys(OUR_NODES).length],
		'\\bthe # nodes (?:found|(?:of|in) (?:the|this) package)',
	],
};
