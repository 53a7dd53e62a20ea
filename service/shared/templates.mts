import { readFileSync } from 'node:fs';

import { z } from 'zod';

import ownTemplates from './configurations.json' with { type: 'json' };
import { editConfigSchema, localSettingsSchema, type LocalSettings } from './contract.mts';

const templateSchema = z.object({
	id: z.number().int(),
	name: z.string(),
	upload_type: z.string(),
	settings: editConfigSchema,
});

/** A template in a file may also say what only this service has. */
const ownTemplateSchema = templateSchema.extend({
	settings: editConfigSchema.extend({
		review: z.boolean().optional(),
		local: localSettingsSchema.optional(),
	}),
});

/** A template (api.md#templates). */
export type Template = z.infer<typeof templateSchema>;

/** A template, and what of it only this service has. */
export type OwnTemplate = Template & { local: LocalSettings };

/** The templates by id; the same for every API key. */
export type Templates = ReadonlyMap<number, OwnTemplate>;

/**
 * Reads the templates.
 *
 * @param path a JSON file; defaults to the service's own `configurations.json`.
 * @throws Error with the file and the place of an unknown setting or a duplicate id.
 */
export function readTemplates(path?: string): Templates {
	const file = path ?? 'configurations.json';
	const templates = parseTemplates(file, path === undefined ? ownTemplates : readJson(path));
	const byId = new Map(templates.map((template) => [template.id, template]));
	if (byId.size < templates.length) throw new Error(`${file}: two templates have the same id`);
	return byId;
}

function readJson(file: string): unknown {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch (error) {
		throw new Error(`${file} cannot be read as JSON: ${String(error)}`);
	}
}

function parseTemplates(file: string, content: unknown): OwnTemplate[] {
	const parsed = z.array(ownTemplateSchema).safeParse(content);
	if (parsed.success) {
		return parsed.data.map(({ settings: own, ...template }) => {
			const { review, local, ...settings } = own;
			return {
				...template,
				settings,
				local: { ...(review !== undefined && { review }), ...local },
			};
		});
	}
	const [{ path: place, message }] = parsed.error.issues;
	throw new Error(`${file}, at ${place.join('.')}: ${message}`);
}
