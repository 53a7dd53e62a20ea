/** The figures that pages and forms state and the code decides: one table of places and the code's values. */
import {
	FIRST_POLL_DELAY_SECONDS,
	MIN_POLL_INTERVAL_SECONDS,
	POLL_INTERVAL_SECONDS,
	RETENTION_DAYS,
	STATUS_CALLS_PER_MINUTE,
	SUBMISSIONS_PER_MINUTE_ENTERPRISE,
	SUBMISSIONS_PER_MINUTE_STANDARD,
	TARGET_LUFS_DEFAULT,
	MAX_TARGET_LUFS,
	MIN_TARGET_LUFS,
} from '../../api/contract/limits.ts';
import { MAX_SHOWN_CHARACTERS } from '../../api/sanitizeText.ts';
import { MAX_MS, MIN_MS, MAX_SOUNDBITES } from '../../formats/feed/soundbites.ts';
import { MIN_CHAPTER_SECONDS } from '../../formats/notes/chapters.ts';
import { MIN_CHAPTERS } from '../../formats/notes/episodeDescription.ts';
import { MAX_CUE_MS, MIN_CUE_MS } from '../../formats/transcript/cueDivision.ts';
import { MAX_LINE_LENGTH } from '../../formats/transcript/cueLines.ts';
import { withLoudness } from '../../nodes/core/config/loudnessFor.ts';
import { MAX_COVER_BYTES } from '../../nodes/core/fetch/tags/cover.ts';
import { TRANSFERS_AT_ONCE_FIELD } from '../../nodes/core/form/fields.ts';
import { MAX_WAIT_MINUTES } from '../../nodes/core/wait/fields.ts';
import { COMMAND } from '../../service/shared/flags.mts';
import { OUR_NODES } from '../../testkit/n8n/ourNodes.ts';

/** A file, a part of its text with `#` in place of each number, and these numbers by the code. */
export type Figure = readonly [place: string, statement: string, ...values: number[]];

/** Returns the loudness that the option Loudness For sets for a platform. */
function lufsFor(loudnessFor: string): number {
	return Number(withLoudness({ loudnessFor }).target_lufs);
}

/** Returns the default of a flag of the local service. */
function flag(name: string): number {
	return Number(COMMAND.options.find(({ long }) => long === name)?.defaultValue);
}

const CREDENTIAL = 'credentials/AudioEditingApi.credentials.ts';
const LOUDNESS = 'nodes/core/config/loudnessFor.ts';
const SUBMISSIONS = SUBMISSIONS_PER_MINUTE_STANDARD;
const ENTERPRISE = SUBMISSIONS_PER_MINUTE_ENTERPRISE;
/** n8n keeps a shorter sleep of its Wait node in memory. */
const SLEEP_SECONDS = 65;
const PASSAGE_SECONDS = [MIN_MS / 1_000, MAX_MS / 1_000];
const COVER_MB = MAX_COVER_BYTES / 1_024 / 1_024;
const SOURCE_GIB = flag('--source-size-limit-bytes') / 1_024 ** 3;
const SOURCE_HOURS = flag('--max-source-hours');

const PAGES: readonly Figure[] = [
	['README.md', 'the # nodes in this package', Object.keys(OUR_NODES).length],
	['README.md', 'keeps each result for [# days](docs', RETENTION_DAYS],
	['SECURITY.md', 'at most # characters of each message', MAX_SHOWN_CHARACTERS],
	['docs/api.md', '`POST /v2/upload` | # a minute, or # with an', SUBMISSIONS, ENTERPRISE],
	['docs/api.md', '`GET /v2/edits/{edit_id}` | # a minute', STATUS_CALLS_PER_MINUTE],
	['docs/api.md', 'finished in the last # days', RETENTION_DAYS],
	['docs/api.md', 'edited files # days after', RETENTION_DAYS],
	['docs/api.md', 'Loudness to reach, # to # LUFS', MIN_TARGET_LUFS, MAX_TARGET_LUFS],
	['docs/waiting.md', 'takes files up to # GiB and # hours', SOURCE_GIB, SOURCE_HOURS],
	['docs/waiting.md', "move # items' files", Number(TRANSFERS_AT_ONCE_FIELD.default)],
	['docs/nodes.md', 'at most two lines of # characters', MAX_LINE_LENGTH],
	['docs/nodes.md', 'for # to # seconds', MIN_CUE_MS / 1_000, MAX_CUE_MS / 1_000],
	['docs/nodes.md', 'finished in the last # days', RETENTION_DAYS],
	['docs/nodes.md', 'down for up to # days', RETENTION_DAYS],
	['docs/nodes.md', '_Start With the Last # Days_', RETENTION_DAYS],
	['docs/options.md', '# LUFS for Apple Podcasts', lufsFor('applePodcasts')],
	['docs/privacy.md', 'results **# days after processing**', RETENTION_DAYS],
	['docs/recipes/folder.md', 'longer than # minutes (180 at night) is listed', MAX_WAIT_MINUTES],
	['docs/recipes/durable-wait.md', 'Keep it at # seconds or more', SLEEP_SECONDS],
	['docs/recipes/edit-finished.md', '_Start With the Last # Days_', RETENTION_DAYS],
	['docs/recipes/edit-one-recording.md', 'fails after # minutes', MAX_WAIT_MINUTES],
	['docs/recipes/edit-one-recording.md', 'loudness to # LUFS', TARGET_LUFS_DEFAULT],
	['docs/recipes/edit-one-recording.md', '# LUFS for Spotify', lufsFor('spotify')],
	['docs/recipes/multi-track-episode.md', 'the mix to # LUFS', TARGET_LUFS_DEFAULT],
	['docs/recipes/youtube.md', 'at least # chapters', MIN_CHAPTERS],
	['docs/recipes/youtube.md', 'at least # seconds each', MIN_CHAPTER_SECONDS],
	['docs/troubleshooting.md', 'fewer than # submissions a minute', SUBMISSIONS],
	['docs/troubleshooting.md', 'deleted # days after processing', RETENTION_DAYS],
	['docs/waiting.md', 'status call comes # seconds after', FIRST_POLL_DELAY_SECONDS],
	['docs/waiting.md', 'then one every # seconds', POLL_INTERVAL_SECONDS],
	['docs/waiting.md', '(_Poll Interval_, at least #)', MIN_POLL_INTERVAL_SECONDS],
	['docs/waiting.md', 'key share # status calls a minute', STATUS_CALLS_PER_MINUTE],
	['docs/waiting.md', 'of the # submissions and', SUBMISSIONS],
	['docs/waiting.md', 'of the # status calls a minute', STATUS_CALLS_PER_MINUTE],
];

const FORMS: readonly Figure[] = [
	[LOUDNESS, 'Apple Podcasts (# LUFS)', lufsFor('applePodcasts')],
	[LOUDNESS, 'Spotify (# LUFS)', lufsFor('spotify')],
	[LOUDNESS, 'YouTube (# LUFS)', lufsFor('youTube')],
	[LOUDNESS, 'EBU R 128 (# LUFS)', lufsFor('ebuR128')],
	[LOUDNESS, 'ATSC A/85 (# LKFS)', lufsFor('atscA85')],
	[LOUDNESS, 'Audiobook (About # LUFS)', lufsFor('audiobook')],
	[CREDENTIAL, 'Standard (# a Minute)', SUBMISSIONS],
	[CREDENTIAL, 'Enterprise (# a Minute)', ENTERPRISE],
	['nodes/Account/Account.node.ts', 'completed in the last # days', RETENTION_DAYS],
	['nodes/Account/fields.ts', 'completed in the last # days', RETENTION_DAYS],
	['nodes/core/output/deleteFetched.ts', 'keeps them for up to # days', RETENTION_DAYS],
	['nodes/AudioEditing/unedited.ts', 'node within # days', RETENTION_DAYS],
	['nodes/AudioEditing/fields.ts', 'edits # days after processing', RETENTION_DAYS],
	['nodes/Delete/fields.ts', 'them # days after processing', RETENTION_DAYS],
	['nodes/EditFinishedTrigger/fields.ts', 'the Last # Days', RETENTION_DAYS],
	['nodes/core/fetch/editedFile.ts', 'that lasts # to # seconds', ...PASSAGE_SECONDS],
	['nodes/core/fetch/tags/cover.ts', 'cover is larger than # MB', COVER_MB],
	['nodes/core/fetch/tags/fields.ts', 'picture of at most # MB', COVER_MB],
	[
		'nodes/core/fetch/tags/fields.ts',
		'# to # passages of # to # seconds',
		1,
		MAX_SOUNDBITES,
		...PASSAGE_SECONDS,
	],
	[
		'nodes/core/fetch/texts/formatFields.ts',
		'# to # passages of # to # seconds',
		1,
		MAX_SOUNDBITES,
		...PASSAGE_SECONDS,
	],
	['nodes/core/errors/failureTexts.ts', 'deleted # days after processing', RETENTION_DAYS],
	['workflows/durable-wait.json', 'sleep at # seconds or more', SLEEP_SECONDS],
	['workflows/edit-one-recording.json', 'loudness to # LUFS', TARGET_LUFS_DEFAULT],
];

export const FIGURES: readonly Figure[] = [...PAGES, ...FORMS];

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

const NUMBER = `(?<![\\w.,])([−-]?\\d[\\d,]*(?:\\.\\d+)?|${WORDS.join('|')})`;

function numberOf(text: string): number {
	const word = WORDS.indexOf(text.toLowerCase());
	return word >= 0 ? word : Number(text.replaceAll(',', '').replace('−', '-'));
}

function patternOf(statement: string): RegExp {
	const escaped = statement.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	return new RegExp(escaped.replaceAll('#', NUMBER).replaceAll(' ', '\\s+'), 'gi');
}

/** Returns a line for each statement that a text no longer has, or in which a number is not the code's. */
export function wrongFigures(
	figures: readonly Figure[],
	read: (place: string) => string,
): string[] {
	return figures.flatMap(([place, statement, ...values]) => {
		const found = [...read(place).matchAll(patternOf(statement))];
		if (found.length === 0) return [`${place} does not state "${statement}"`];
		const wrong = found.filter(([, ...numbers]) =>
			numbers.some((number, index) => numberOf(number) !== values[index]),
		);
		return wrong.map(([text]) => `${place}: "${text}" is ${values.join(', ')} in the code`);
	});
}
