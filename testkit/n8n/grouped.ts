import type { INodeParameters } from 'n8n-workflow';

import { PURPOSES } from '../../nodes/core/fetch/texts/formatFields';

/** Returns outputs of Get Result by their purposes, as its form has them. */
export function groupedFormats(names: readonly string[]): INodeParameters {
	const chosen = PURPOSES.map(({ value, formats }): [string, string[]] => [
		String(value),
		formats.filter((format) => names.includes(format)),
	]).filter(([, formats]) => formats.length > 0);
	return { alsoReturn: chosen.map(([value]) => value), ...Object.fromEntries(chosen) };
}
