import { fieldError } from '../form/fieldError';
import { readAmount } from '../form/parameters';
import type { Form } from '../form/values';
import type { NodeRun } from '../run/nodeRun';
import { MAX_PREVIEW_MINUTES, MIN_PREVIEW_MINUTES, PREVIEW_LABEL } from './previewFields';

/**
 * How many minutes of the recording to edit instead of all of it; undefined for all of it.
 *
 * @throws NodeOperationError for a value that is no such number, and for a recording that this node does not upload:
 * the whole of it would be charged
 */
export function readPreviewMinutes(run: NodeRun, form: Form): number | undefined {
	const { itemIndex, fields, options } = form;
	if (!('previewMinutes' in options)) return undefined;
	const minutes = readAmount(run, itemIndex, PREVIEW_LABEL, options.previewMinutes);
	if (minutes < MIN_PREVIEW_MINUTES || minutes > MAX_PREVIEW_MINUTES) {
		const range = `from ${MIN_PREVIEW_MINUTES} to ${MAX_PREVIEW_MINUTES}`;
		const message = `'${PREVIEW_LABEL}' must be ${range}, not ${minutes}`;
		throw fieldError(run, itemIndex, message, `Enter a number ${range}, or remove the option.`);
	}
	const other = run.isTool
		? ['an agent passes a URL', 'Remove the option.']
		: fields.recordingFrom === 'url'
			? [
					"'Recording From' is set to 'URL'",
					"Put n8n's HTTP Request node before this one, which downloads the file, and set 'Recording From' to 'File of the Item'. Or remove the option.",
				]
			: options.transfer === 'link'
				? [
						"'Transfer' is set to 'Signed Link'",
						"Set 'Transfer' to 'Upload', or remove the option.",
					]
				: undefined;
	if (other === undefined) return minutes;
	const [why, advice] = other;
	const message = `'${PREVIEW_LABEL}' needs a file that this node uploads, but ${why}`;
	throw fieldError(run, itemIndex, message, advice);
}
