import {
	type EditConfig,
	type EditRequest,
	SUPPORTED_AUDIO_EXTENSIONS,
	resolveEditConfig,
} from '../../../api/contract';
import { sanitizeText } from '../../../api/sanitizeText';
import { isVideo } from '../config/picture';
import { CUTS } from '../config/configKeys';
import type { Configuration } from '../config/readConfiguration';
import { extensionOf, nameInUrl } from '../files/mediaTypes';
import { fieldError } from '../form/fieldError';
import { type SourceNames, namesOfFiles, sourceNamesOf } from '../files/sourceNames';
import { MAX_NAMED, listed } from '../texts';
import type { NodeRun } from '../run/nodeRun';
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
	{ config, additional, templateId, isJson }: Configuration,
	fileNames: readonly string[],
): RequestHint[] {
	if (isJson && config.video === undefined) refuseUnsaidPicture(run, itemIndex, fileNames);
	const hasTemplate = templateId !== undefined;
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
		...pictureHints(fileNames, config.video, hasTemplate),
		...additional.hints,
	];
}

/** The request for an edit of these files; several are the tracks of one recording. */
export function editRequestFor(
	{ config, additional, templateId }: Configuration,
	files: readonly string[],
): EditRequest {
	return {
		input: {
			files: [...files],
			config: { ...config, ...additional.sent },
			upload_type: files.length > 1 ? 'multitrack' : 'singletrack',
			...(templateId !== undefined && { template_id: templateId }),
		},
	};
}

/** What is asked for a recording, without its files and what changes each time: signatures of links. */
export function recordingRequestOf({ config, additional, templateId }: Configuration): object {
	return { ...config, ...additional.shown, signed_url: undefined, templateId };
}

/** The names from the items if all have one, otherwise those in the URLs. */
export function sourceNames(
	run: NodeRun,
	itemIndices: readonly number[],
	files: readonly string[],
): SourceNames {
	const given = itemIndices.map((index) => sourceNamesOf(run, index));
	const texts = given.flatMap(({ sourceFileName }) => sourceFileName ?? []);
	const inUrls = files.map(nameInUrl);
	if (texts.length < itemIndices.length)
		return namesOfFiles(inUrls, namesInOne(inUrls.filter(Boolean)));
	const names = given.flatMap(
		({ sourceFileName, sourceFileNames }) => sourceFileNames ?? sourceFileName ?? [],
	);
	return namesOfFiles(names.length === files.length ? names : [], namesInOne(texts));
}

/** The names of a recording's files as one text. */
export function namesInOne(names: readonly string[]): string {
	return listed(names.map(sanitizeText), MAX_NAMED);
}

/** JSON says itself what happens to a picture: without the key, a video would come back as an audio file. */
function refuseUnsaidPicture(run: NodeRun, itemIndex: number, fileNames: readonly string[]): void {
	const video = fileNames.find(isVideo);
	if (video === undefined) return;
	const message = `'${sanitizeText(video)}' is a video, but 'Options (JSON)' does not say what happens to its picture`;
	const advice = 'Add "video": true to keep the picture, or "video": false to get only the sound.';
	throw fieldError(run, itemIndex, message, advice);
}

/** A hint for each file that has no picture to keep, and for each video of which a template may decide. */
function pictureHints(
	fileNames: readonly string[],
	keepsPicture: boolean | undefined,
	hasTemplate: boolean,
): RequestHint[] {
	if (keepsPicture && hasTemplate) {
		const message =
			"a video, and 'Picture' is set to 'Keep'. If your service lets the template override options, and the template does not edit videos, only the sound comes back.";
		return fileNames.filter(isVideo).map((file) => ({ file, message }));
	}
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

const RULES: readonly Rule[] = [
	{
		holdsUnderTemplate: true,
		applies: ({ merge }, trackCount) => merge && trackCount < 2,
		message: "'Merge Tracks' needs several tracks, but there is only one file",
		advice: "Pass the files of all tracks to the edit, or switch 'Merge Tracks' off.",
	},
	{
		applies: ({ audio_for_edl, video }) => audio_for_edl && !video,
		message: "'Audio for Edit List' works only for a video whose picture is kept",
		advice: "Set 'Picture' to 'Keep' and pass a video, or switch 'Audio for Edit List' off.",
	},
	{
		holdsUnderTemplate: true,
		applies: ({ video, export_format }) => video && export_format !== 'auto',
		message: "'Export Format (MP3, WAV …)' is for audio, but the picture of this video is kept",
		advice:
			"Set 'Picture' to 'Sound Only' to get an audio file, or remove 'Export Format (MP3, WAV …)' to get a video.",
	},
	{
		applies: ({ keep_music, remove_noise }) => keep_music && remove_noise === false,
		message:
			"'Keep Music' is part of noise removal, but 'Remove Noise' is set to 'Leave Untouched'",
		advice: "Set 'Remove Noise' to 'Remove', or switch 'Keep Music' off.",
	},
	{
		applies: ({ target_lufs, normalize }) => target_lufs !== null && !normalize,
		message: "'Target Loudness (LUFS)' is set, but 'Normalize Loudness (Volume)' is off",
		advice: "Switch 'Normalize Loudness (Volume)' on, or remove the target.",
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
