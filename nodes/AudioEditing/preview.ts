import type { EditConfig, EditConfigKey } from '../../api/contract';
import { CUTS } from '../core/config/keyGroups';
import type { Configuration } from '../core/config/readConfiguration';
import type { DownloadKind } from '../core/fetch/downloads';
import type { ResultOptions } from '../core/fetch/fetchResult';
import { fieldError } from '../core/form/fieldError';
import type { NodeRun } from '../core/run/nodeRun';
import { PREVIEW_LABEL } from '../core/upload/previewFields';
import { resolvedConfig } from './outputFormats';

/**
 * What a preview leaves out: texts of a minute are of no use, and nothing of it must be delivered in place of the whole.
 */
const LEFT_OUT: EditConfig = {
	transcription: false,
	summarize: false,
	social_content: false,
	signed_url: null,
	send_email: false,
};

/** What can be heard in a preview. */
const HEARD: readonly EditConfigKey[] = [
	...CUTS,
	'remove_noise',
	'studio_sound',
	'autoeq',
	'normalize',
	'merge',
];

/**
 * Refuses a preview in which nothing is to be heard: it would be charged all the same.
 *
 * @throws NodeOperationError
 */
export function refuseUnheard(run: NodeRun, itemIndex: number, configuration: Configuration): void {
	const { additional, local, templateId } = configuration;
	const isUnknown = templateId !== undefined || Object.keys(additional.sent).length > 0;
	const config = resolvedConfig(configuration);
	if (isUnknown || local !== undefined || HEARD.some((key) => config[key])) return;
	const message = `'${PREVIEW_LABEL}' leaves out transcript and notes, and nothing else is switched on`;
	const advice = 'Switch on what you want to hear, or remove the option.';
	throw fieldError(run, itemIndex, message, advice);
}

/**
 * The configuration of a preview, which is of the recording alone. What a template would add is switched off, as far as
 * options override it.
 */
export function configurationOfPreview(configuration: Configuration): Configuration {
	const { config, additional, templateId } = configuration;
	const { sent, shown } = additional;
	return {
		...configuration,
		kit: undefined,
		config: { ...kept(config), ...(templateId !== undefined && LEFT_OUT) },
		additional: { ...additional, sent: kept(sent), shown: kept(shown) },
	};
}

function kept<Keys extends object>(keys: Keys): Keys {
	return Object.fromEntries(Object.entries(keys).filter(([key]) => !(key in LEFT_OUT))) as Keys;
}

/**
 * What is made of the result of a preview: no texts, and no tags, which are those of the episode. Its file is fetched
 * even if the whole is not, because it is delivered nowhere else.
 */
export function resultOfPreview(result: ResultOptions): ResultOptions {
	return {
		...result,
		downloads: [...new Set<DownloadKind>(['edited', ...result.downloads])],
		formatKinds: [],
		feed: undefined,
		tagging: undefined,
		cutsSoundbites: false,
	};
}
