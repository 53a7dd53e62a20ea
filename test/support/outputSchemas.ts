/* eslint-disable @n8n/community-nodes/no-restricted-imports -- the tests are no community node: they read files */
import Ajv from 'ajv';
import { loadOutputSchema, resolveOutputSchemaPath } from 'n8n-core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { resolve } from 'path';

import { OUR_NODES, newestVersion } from './ourNodes';

/** Which output: of a node by its short name, and of one of its operations where it has some. */
export interface SchemaRef {
	readonly type: string;
	readonly resource?: string;
	readonly operation?: string;
}

/** A JSON schema as far as tests look into it. */
export interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	additionalProperties?: boolean;
	required?: string[];
}

/** Every output that n8n's editor may ask a schema for. */
export const SCHEMAS: readonly SchemaRef[] = Object.values(OUR_NODES).flatMap(({ description }) => {
	const type = description.name;
	const operations = description.properties.filter(({ name }) => name === 'operation');
	return operations.length === 0 ? [{ type }] : operations.flatMap((field) => refsOf(type, field));
});

function refsOf(type: string, { displayOptions, options = [] }: INodeProperties): SchemaRef[] {
	const resource = String(displayOptions?.show?.resource?.[0]);
	return options.flatMap((option) =>
		'value' in option ? [{ type, resource, operation: String(option.value) }] : [],
	);
}

/** What n8n finds the schema by; the editor names the version in full. */
function lookup({ type, resource, operation }: SchemaRef) {
	const node = OUR_NODES[`n8n-nodes-audio-editing.${type}`];
	const nodeDir = resolve('nodes', node.constructor.name);
	return { nodeDir, version: `${newestVersion(type)}.0.0`, resource, operation };
}

/** The file that n8n's editor asks for. */
export function schemaPath(ref: SchemaRef): string {
	return resolveOutputSchemaPath(lookup(ref)) ?? '';
}

/** The schema that n8n finds, by its own rules. */
export function schemaOf(ref: SchemaRef): Schema {
	return loadOutputSchema(lookup(ref)) as Schema;
}

/** Expects an output to fit its schema, which by default must name every field. */
export function expectToFit(ref: SchemaRef, json: IDataObject, shape = closed): void {
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	const validate = ajv.compile(shape(schemaOf(ref)));
	validate(json);
	expect(validate.errors ?? []).toEqual([]);
}

/** The schema with no room for what it does not name, so that a field it lacks is noticed. */
function closed(schema: Schema): Schema {
	const { properties, items } = schema;
	const entries = Object.entries(properties ?? {}).map(([key, value]) => [key, closed(value)]);
	return {
		...schema,
		...(properties && { properties: Object.fromEntries(entries) }),
		...(properties && { additionalProperties: false }),
		...(items && { items: closed(items) }),
	};
}

/** The schema with every field required, so that one it invents is noticed. */
export function allRequired(schema: Schema): Schema {
	const entries = Object.entries(schema.properties ?? {});
	const properties = Object.fromEntries(entries.map(([key, value]) => [key, allRequired(value)]));
	const { items } = schema;
	const isObject = schema.properties !== undefined;
	return {
		...schema,
		...(isObject && { properties, required: Object.keys(properties) }),
		...(items && { items: allRequired(items) }),
	};
}
