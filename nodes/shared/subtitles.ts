import type { INodePropertyOptions } from 'n8n-workflow';

/**
 * A map from the values of a field to their labels, for the expression of a subtitle. The values of a
 * saved workflow are names for the code; a person on the canvas reads what the form says.
 */
export const labelsOf = (options: readonly INodePropertyOptions[]): string =>
	`(${JSON.stringify(Object.fromEntries(options.map(({ name, value }) => [value, name])))})`;
