/*
 * docs/openapi.json as the contract gives it. zod-openapi 4 is the last version for zod 3, which n8n gives its nodes;
 * its successors read only schemas of zod 4. When n8n has zod 4, this file moves to one of them.
 */
import './keepDescriptions.mts';

import { createDocument } from 'zod-openapi';

import {
	EDIT_CONFIG_DEFAULTS,
	acceptedConfigSchema,
	editRequestSchema,
	LOCAL_DEFAULTS,
	localSettingsSchema,
	type EditConfigKey,
	webUrlSchema,
} from '../../service/shared/contract.mts';
import { CONFIG_KEYS } from '../../nodes/core/config/configKeys.ts';
import { PATHS } from './paths.mts';
import { WIRE } from './wire.ts';

const document = createDocument({
	openapi: '3.1.0',
	info: {
		title: 'Audio editing service',
		version: '2',
		description: 'Edits audio and video files asynchronously. docs/api.md describes it in words.',
		license: { name: 'MIT', identifier: 'MIT' },
	},
	servers: [{ url: '/', description: 'The service that sends this document' }],
	security: [{ apiKey: [] }],
	paths: PATHS,
	components: {
		securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
		schemas: {
			EditRequest: editRequestSchema,
			EditConfig: acceptedConfigSchema,
			LocalSettings: localSettingsSchema,
			...WIRE,
		},
	},
});

/** Gives every URL its format. zod would have it with a check that says less than ours. */
function markUrls(part: unknown): void {
	if (typeof part !== 'object' || part === null) return;
	if ('description' in part && part.description === webUrlSchema.description) {
		Object.assign(part, { format: 'uri' });
	}
	Object.values(part).forEach(markUrls);
}

/** Returns docs/openapi.json as an object. */
export function openApiDocument(): typeof document {
	markUrls(document.components?.schemas);
	// A default in the contract's schema would appear in what the schema parses, and the nodes need no texts.
	for (const key of Object.keys(CONFIG_KEYS) as EditConfigKey[]) {
		describe('EditConfig', key, CONFIG_KEYS[key].meaning, EDIT_CONFIG_DEFAULTS[key]);
	}
	for (const key of Object.keys(LOCAL_DEFAULTS) as Array<keyof typeof LOCAL_DEFAULTS>) {
		describe('LocalSettings', key, localSettingsSchema.shape[key].description, LOCAL_DEFAULTS[key]);
	}
	return document;
}

/** Gives a key of a schema its description and default. */
function describe(schema: string, key: string, description: string | undefined, value: unknown) {
	const keys = document.components?.schemas?.[schema];
	if (keys === undefined || !('properties' in keys)) return;
	Object.assign(keys.properties?.[key] ?? {}, { description, default: value });
}
