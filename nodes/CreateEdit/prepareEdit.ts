import { type EditConfig, type EditRequest, SUPPORTED_VIDEO_EXTENSIONS } from '../../api/contract';
import { sanitizeText } from '../../api/sanitizeText';
import { extensionOf, nameInUrl } from '../shared/form/fileNames';
import type { Delivery } from '../shared/delivery/deliveries';
import { sourceFileOf } from '../shared/form/inputItem';
import { fieldError } from '../shared/form/parameters';
import type { SkipRule } from '../shared/skip/skipRule';
import { listed } from '../shared/form/texts';
import { findContradictions } from './config/contradictions';
import type { Configuration } from './config/readConfiguration';
import type { NodeRun } from '../shared/run/nodeRun';

export interface RequestHint {
	readonly message: string;
	/** The name of the file, if the hint is about one. */
	readonly file?: string;
}

/** A checked request, and the hints about it. */
export interface PreparedRequest {
	/** The items with the files of the recording. */
	readonly itemIndices: readonly number[];
	/** The first of them, which errors name. */
	readonly itemIndex: number;
	readonly sourceFileName: string;
	readonly request: EditRequest;
	/** See `fingerprintOf`. */
	readonly fingerprint: string;
	/** The configuration for the output, without the signatures of links in additional keys. */
	readonly config: EditConfig;
	/** Whether it goes to POST /v2/noise. */
	readonly isNoise: boolean;
	readonly hints: readonly RequestHint[];
	/** If the file is delivered to this execution. */
	readonly delivery?: Delivery;
	/** How the recording is recognised, if recordings already edited are skipped. */
	readonly skip?: SkipRule;
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
	{ config, additional, templateId }: Configuration,
	fileNames: readonly string[],
): RequestHint[] {
	const hasTemplate = templateId !== undefined;
	const recording = { trackCount: fileNames.length, hasTemplate };
	const contradictions = findContradictions(config, recording);
	const fatal = contradictions.find(({ isFatal }) => isFatal);
	if (fatal) throw fieldError(run, itemIndex, fatal.message, fatal.advice);
	return [
		...contradictions.map(({ message }) => ({ message })),
		...(config.video || hasTemplate ? [] : pictureHints(fileNames)),
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

const NAMES_MAXIMUM = 5;

/** The names from the items if all have one, otherwise those in the URLs. */
export function sourceFileNames(
	run: NodeRun,
	itemIndices: readonly number[],
	files: readonly string[],
): string {
	const given = itemIndices.flatMap((index) => sourceFileOf(run, index).sourceFileName ?? []);
	const names = given.length === itemIndices.length ? given : files.map(nameInUrl).filter(Boolean);
	return namesInOne(names);
}

/** The names of a recording's files as one text. */
export function namesInOne(names: readonly string[]): string {
	return listed(names.map(sanitizeText), NAMES_MAXIMUM);
}

const VIDEO_EXTENSIONS: readonly string[] = SUPPORTED_VIDEO_EXTENSIONS;

/** A hint for each video whose picture would be lost because 'Video' is off, its default. */
function pictureHints(fileNames: readonly string[]): RequestHint[] {
	return fileNames
		.filter((name) => VIDEO_EXTENSIONS.includes(extensionOf(name)))
		.map((file) => ({
			file,
			message: "a video, but 'Video' is off: the service returns only the sound.",
		}));
}
