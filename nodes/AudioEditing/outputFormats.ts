import { type EditConfig, resolveEditConfig } from '../../api/contract';
import { type Configuration, labelOf } from '../core/config/readConfiguration';
import { fieldError } from '../core/form/fieldError';
import type { NodeRun } from '../core/run/nodeRun';

/** What a configuration asks of the service; a template may ask for more. */
export function resolvedConfig({ config, additional }: Configuration): Required<EditConfig> {
	return resolveEditConfig({ ...config, ...additional.sent });
}

/** Outputs that only some formats of the edited file can have; an edited video is often an MP4. */
const FORMATS_FOR: Readonly<
	Record<string, { readonly formats: readonly string[]; readonly isForVideo: boolean } | undefined>
> = {
	'Cut Soundbites': { formats: ['mp3'], isForVideo: false },
	'Chapters to Embed': { formats: ['mp3', 'm4a'], isForVideo: true },
};

/**
 * Refuses an output that the chosen format of the edited file cannot have, before the edit is charged.
 *
 * @throws NodeOperationError
 */
export function refuseInFormat(
	run: NodeRun,
	itemIndex: number,
	configuration: Configuration,
	output: string,
): void {
	const rule = FORMATS_FOR[output];
	if (rule === undefined) return;
	const { video, export_format: format } = resolvedConfig(configuration);
	const isLostInVideo = video && !rule.isForVideo;
	if (!isLostInVideo && (format === 'auto' || rule.formats.includes(format))) return;
	const { isJson } = configuration;
	const label = labelOf('export_format', isJson);
	const shown = (name: string) => (isJson ? `"${name}"` : name.toUpperCase());
	const names = rule.formats.map(shown).join(' or ');
	const soundOnly = isJson ? `'video' to false` : `'Picture' to 'Sound Only'`;
	const message = isLostInVideo
		? `'${output}' needs ${names}, but the picture of the video is kept`
		: `'${output}' needs ${names}, but '${label}' is set to ${shown(format)}`;
	const changes = `${isLostInVideo ? `${soundOnly} and ` : ''}'${label}' to ${names}`;
	const advice = `Set ${changes}, or do not ask for '${output}'.`;
	throw fieldError(run, itemIndex, message, advice);
}
