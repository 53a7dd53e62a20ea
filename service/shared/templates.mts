import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { editConfigSchema, uploadTypeSchema } from './contract.mts';

const templateSchema = z.object({
	id: z.number().int(),
	name: z.string(),
	upload_type: uploadTypeSchema,
	settings: editConfigSchema,
});

/** A template, spec "Configuration records". */
export type Template = z.infer<typeof templateSchema>;

/** The templates by id; the same for every API key. */
export type Templates = ReadonlyMap<number, Template>;

/**
 * Reads the templates.
 *
 * @param path a JSON file; defaults to the service's own `configurations.json`.
 * @throws Error with the file and the place of an unknown setting or a duplicate id.
 */
export function readTemplates(path?: string): Templates {
	const file = path ?? fileURLToPath(new URL('./configurations.json', import.meta.url));
	const templates = parseTemplates(file);
	const byId = new Map(templates.map((template) => [template.id, template]));
	if (byId.size < templates.length) throw new Error(`${file}: two templates have the same id`);
	return byId;
}

function parseTemplates(file: string): Template[] {
	try {
		return z.array(templateSchema).parse(JSON.parse(readFileSync(file, 'utf8')));
	} catch (error) {
		if (!(error instanceof z.ZodError)) {
			throw new Error(`${file} cannot be read as JSON: ${String(error)}`);
		}
		const [{ path: place, message }] = error.issues;
		throw new Error(`${file}, at ${place.join('.')}: ${message}`);
	}
}
