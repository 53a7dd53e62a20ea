import {
	EDIT_CONFIG_DEFAULTS,
	type EditConfig,
	type EditRequest,
	SUPPORTED_AUDIO_EXTENSIONS,
	resolveEditConfig,
} from '../../../api/contract';
import { sanitizeText } from '../../../api/sanitizeText';
import { CONFIG_KEYS } from '../config/configKeys';
import { LOCAL_KEY_NAMES } from '../config/localKeys';
import { kitSettings } from '../config/showKit';
import { CUTS, KEYS } from '../config/keyGroups';
import { CONFIG_OPTIONS, type Configuration } from '../config/readConfiguration';
import type { FileIdentity } from '../files/fileIdentity';
import { extensionOf } from '../files/mediaTypes';
import { fieldError } from '../form/fieldError';
import { optionsIn } from '../form/optionGroups';
import type { SourceNames } from '../files/sourceNames';
import { hashOf } from '../ledger/identity';
import type { NodeRun } from '../run/nodeRun';
import { refuseKit } from './readShowKit';
import type { SubmissionKey, RecordingKey } from '../ledger/submissionLedger';

export interface RequestHint {
	readonly message: string;
	/** The name of the file, if the hint is about one. */
	readonly file?: string;
}

/** A checked request, and the hints about it. */
export interface PreparedRequest extends Required<SubmissionKey> {
	/** The items with the files of the recording; errors name the first of them. */
	readonly itemIndices: readonly number[];
	readonly names: SourceNames;
	/** The configuration for the output, without the signatures of links in additional keys. */
	readonly config: EditConfig;
	/** Whether it goes to POST /v2/noise. */
	readonly isNoise: boolean;
	readonly hints: readonly RequestHint[];
	/** The recording in n8n's memory, if recordings already edited are skipped. */
	readonly skip?: RecordingKey;
}

/**
 * Checks a configuration before anything is sent, and returns the hints about it.
 *
 * @param fileNames the names of the recording's files, one for each track
 * @throws NodeOperationError if keys contradict each other
 */
export function checkConfiguration(
	run: NodeRun,
	itemIndex: number,
	{ config, additional, kit, videos, templateId, isJson }: Configuration,
	fileNames: readonly string[],
): RequestHint[] {
	if (isJson && config.video === undefined) refuseUnsaidPicture(run, itemIndex, videos);
	const hasTemplate = templateId !== undefined;
	refuseKit(run, itemIndex, kit, { config, hasTemplate, tracks: fileNames.length });
	// `normalize` fills in its own target. Only a target that the person set can contradict.
	const resolved = { ...resolveEditConfig(config), target_lufs: config.target_lufs ?? null };
	const broken = RULES.filter(
		(rule) => (!hasTemplate || rule.holdsUnderTemplate) && rule.applies(resolved, fileNames.length),
	);
	for (const { message, advice } of broken) {
		if (advice !== undefined) throw fieldError(run, itemIndex, message, advice);
	}
	return [
		...broken.map(({ message }) => ({ message })),
		...pictureHints(fileNames, config.video),
		...additional.hints,
	];
}

/** The request for an edit of these files; several are the tracks of one recording. */
export function editRequestFor(
	{ config, additional, local, kit, templateId }: Configuration,
	files: readonly string[],
): EditRequest {
	const forLocal = { ...local, ...kitSettings(kit) };
	return {
		input: {
			files: [...files],
			config: { ...config, ...additional.sent },
			upload_type: files.length > 1 ? 'multitrack' : 'singletrack',
			...(templateId !== undefined && { template_id: templateId }),
			...(Object.keys(forLocal).length > 0 && { local: forLocal }),
		},
	};
}

/** What is asked for a recording, without its files and what changes each time: signatures of links. */
export function recordingRequestOf({
	config,
	additional,
	local,
	kit,
	templateId,
}: Configuration): object {
	const parts = kit?.map(({ place, identity }) => [place, identity]);
	return { ...config, ...additional.shown, signed_url: undefined, templateId, local, kit: parts };
}

/** JSON says itself what happens to a picture: without the key, a video would come back as an audio file. */
function refuseUnsaidPicture(run: NodeRun, itemIndex: number, [video]: readonly string[]): void {
	if (video === undefined) return;
	const message = `'${sanitizeText(video)}' is a video, but 'Options (JSON)' does not say what happens to its picture`;
	const advice = 'Add "video": true to keep the picture, or "video": false to get only the sound.';
	throw fieldError(run, itemIndex, message, advice);
}

/** A hint for each file that has no picture to keep. */
function pictureHints(
	fileNames: readonly string[],
	keepsPicture: boolean | undefined,
): RequestHint[] {
	if (!keepsPicture) return [];
	const message = 'an audio file, but "video" is on: it has no picture to edit.';
	return fileNames
		.filter((name) => SUPPORTED_AUDIO_EXTENSIONS.includes(extensionOf(name)))
		.map((file) => ({ file, message }));
}

/** A combination of keys that cannot work, found before an edit is charged. */
interface Rule {
	readonly message: string;
	/** What to do. Without advice the edit can be made, and the message is only a hint. */
	readonly advice?: string;
	/** True for a rule that holds whatever keys a template adds. */
	readonly holdsUnderTemplate?: true;
	readonly applies: (config: Required<EditConfig>, trackCount: number) => boolean;
}

const hasCuts = (config: Required<EditConfig>) => CUTS.some((key) => config[key] !== false);

/** A key that does nothing without another one. */
const REQUIRED: readonly Rule[] = KEYS.flatMap((key) => {
	const { requires } = CONFIG_KEYS[key];
	if (requires === undefined) return [];
	const applies: Rule['applies'] = (config) =>
		config[key] !== EDIT_CONFIG_DEFAULTS[key] && config[requires.key] === false;
	return [{ ...requires, applies }];
});

const RULES: readonly Rule[] = [
	...REQUIRED,
	{
		holdsUnderTemplate: true,
		applies: ({ merge }, trackCount) => merge && trackCount < 2,
		message: "'Merge Tracks' needs several tracks, but there is only one file",
		advice:
			"If each item has one track, set 'Treat Input Items As' to 'Tracks of One Recording'. Otherwise, pass the files of all tracks in one item, or switch 'Merge Tracks' off.",
	},
	{
		holdsUnderTemplate: true,
		applies: ({ video, export_format }) => video && export_format !== 'auto',
		message: "'Export Format (MP3, WAV …)' is for audio, but the picture of this video is kept",
		advice:
			"Set 'Picture' to 'Sound Only' to get an audio file, or remove 'Export Format (MP3, WAV …)' to get a video.",
	},
	{
		applies: (config) => config.muted && !hasCuts(config),
		message: "'Mute Instead of Cut' has no effect: none of the chosen options cuts anything.",
	},
	{
		applies: (config) => config.export_timestamps && !hasCuts(config),
		message: "'Export Timestamps' will be empty: none of the chosen options cuts anything.",
	},
	{
		applies: ({ merge, normalize }) => merge && !normalize,
		message: "'Merge Tracks' sounds best with 'Normalize Loudness (Volume)' on.",
	},
];

/** The fields that decide what is edited and how. Those of the wait and of the result do not count. */
const FIELDS: ReadonlySet<string> = new Set([
	'fileUrls',
	'itemsAre',
	'configure',
	'templateId',
	'preset',
	'picture',
	'configJson',
]);

/** The same among the options. */
const OPTIONS: ReadonlySet<string> = new Set([
	'jobType',
	'additionalKeys',
	'previewMinutes',
	'intro',
	'outro',
	'inserts',
	...CONFIG_OPTIONS,
	...LOCAL_KEY_NAMES,
]);

/**
 * A hash of what a try of an execution edits. If it differs from that of an earlier try, the item is
 * another recording, or asks for another edit.
 *
 * It contains the fields as saved. What an expression returns does not count: it may contain the time or
 * a new signature, and the edit would be charged again with each try.
 *
 * @param files the identities of the item's files, if the node uploads them
 */
export function fingerprintOf(run: NodeRun, files: readonly FileIdentity[] = []): string {
	const { parameters } = run.node;
	const options = optionsIn(parameters);
	return hashOf([chosen(parameters, FIELDS), chosen(options, OPTIONS), files]);
}

function chosen(values: object, names: ReadonlySet<string>): object {
	const entries: Array<[string, unknown]> = Object.entries(values);
	// n8n fills in what is not set, and another version of this package may have more to fill in.
	const own = entries.filter(([name, value]) => names.has(name) && !isEmpty(value));
	return Object.fromEntries(own.map(([name, value]) => [name, asSaved(value)]));
}

function isEmpty(value: unknown): boolean {
	return value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}

/** A value without the name that n8n's list showed for it, which changes when someone opens the list. */
function asSaved(value: unknown): unknown {
	const isFromList = typeof value === 'object' && value !== null && '__rl' in value;
	return isFromList && 'value' in value ? value.value : value;
}
