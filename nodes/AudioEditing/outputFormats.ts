import { type EditConfig, type EditConfigKey, resolveEditConfig } from '../../api/contract';
import { type Configuration, labelOf } from '../core/config/readConfiguration';
import { fieldError } from '../core/form/fieldError';
import type { NodeRun } from '../core/run/nodeRun';

/** An output that the form asks for. */
export interface Wanted {
	/** Its label. */
	readonly output: string;
	/** The options of which one must be on for it. */
	readonly keys: readonly EditConfigKey[];
	/** The formats of the edited file that can have it, if not all can, and whether a video can. */
	readonly onlyIn?: { readonly formats: readonly string[]; readonly isForVideo: boolean };
}

/** What a configuration asks of the service; a template may ask for more. */
export function resolvedConfig({ config, additional }: Configuration): Required<EditConfig> {
	return resolveEditConfig({ ...config, ...additional.sent });
}

/**
 * Refuses an output that the chosen format of the edited file cannot have, before the edit is charged.
 *
 * @throws NodeOperationError
 */
export function refuseInFormat(
	run: NodeRun,
	itemIndex: number,
	configuration: Configuration,
	{ output, onlyIn }: Wanted,
): void {
	if (onlyIn === undefined) return;
	const { video, export_format: format } = resolvedConfig(configuration);
	const isLostInVideo = video && !onlyIn.isForVideo;
	if (!isLostInVideo && (format === 'auto' || onlyIn.formats.includes(format))) return;
	const { isJson } = configuration;
	const label = labelOf('export_format', isJson);
	const shown = (name: string) => (isJson ? `"${name}"` : name.toUpperCase());
	const names = onlyIn.formats.map(shown).join(' or ');
	const soundOnly = isJson ? `'video' to false` : `'Picture' to 'Sound Only'`;
	const message = isLostInVideo
		? `'${output}' needs ${names}, but the picture of the video is kept`
		: `'${output}' needs ${names}, but '${label}' is set to ${shown(format)}`;
	const changes = `${isLostInVideo ? `${soundOnly} and ` : ''}'${label}' to ${names}`;
	const advice = `Set ${changes}, or do not ask for '${output}'.`;
	throw fieldError(run, itemIndex, message, advice);
}
