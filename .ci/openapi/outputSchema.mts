import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CONFIG_KEYS } from '../../nodes/core/config/configKeys.ts';
import { openApiDocument } from './document.mts';

/** The output schema of Create Edit, which n8n's editor shows before the node has run. */
export const OUTPUT_SCHEMA = 'nodes/CreateEdit/__schema__/v1.0.0.json';

/** The type of a key, or several; null is never in an output. */
interface Typed {
	readonly type?: string | readonly string[];
	readonly anyOf?: readonly Typed[];
}

/** Returns the output schema as an object, with the keys of the configuration from the contract. */
export async function outputSchema(root: string): Promise<unknown> {
	const { EditConfig } = (openApiDocument().components?.schemas ?? {}) as Record<
		string,
		{ properties?: Record<string, Typed> }
	>;
	const schema = JSON.parse(await readFile(join(root, OUTPUT_SCHEMA), 'utf8')) as {
		properties: { config: { properties: object } };
	};
	const keys = Object.keys(CONFIG_KEYS).map((key) => {
		const types = typesOf(EditConfig.properties?.[key] ?? {});
		return [key, { type: types.length === 1 ? types[0] : types }];
	});
	schema.properties.config.properties = Object.fromEntries(keys) as object;
	return schema;
}

function typesOf({ type = [], anyOf = [] }: Typed): string[] {
	return [type, anyOf.flatMap(typesOf)].flat().filter((one) => one !== 'null');
}
