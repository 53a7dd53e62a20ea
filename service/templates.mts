import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { editConfigSchema, uploadTypeSchema } from './contract.mts';

const templateSchema = z.object({
	id: z.number().int(),
	name: z.string(),
	upload_type: uploadTypeSchema,
	settings: editConfigSchema,
});

/** A stored configuration (also called template), spec "Configuration records". */
export type Template = z.infer<typeof templateSchema>;

/** The stored configurations by id; the same for every key. */
export type Templates = ReadonlyMap<number, Template>;

/** Reads `configurations.json`. @throws ZodError when a setting is not one the interface knows. */
export function readTemplates(): Templates {
	const text = readFileSync(new URL('./configurations.json', import.meta.url), 'utf8');
	const templates = z.array(templateSchema).parse(JSON.parse(text));
	return new Map(templates.map((template) => [template.id, template]));
}
