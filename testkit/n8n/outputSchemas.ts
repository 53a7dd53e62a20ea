/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import Ajv from 'ajv';
import { loadOutputSchema, resolveOutputSchemaPath } from 'n8n-core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { resolve } from 'path';

import { OUR_NODES, versionOf } from './ourNodes';

/** An output: the node's short name, and its operation if it has several. */
interface SchemaRef {
	readonly type: string;
	readonly resource?: string;
	readonly operation?: string;
}

/** The parts of a JSON schema that tests read. */
export interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	additionalProperties?: boolean;
	required?: string[];
}

/** Every output for which n8n's editor may request a schema. */
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

/** Returns the keys by which n8n finds a schema; the editor uses the full version number. */
function lookup({ type, resource, operation }: SchemaRef) {
	const node = OUR_NODES[`n8n-nodes-audio-editing.${type}`];
	const nodeDir = resolve('nodes', node.constructor.name);
	return { nodeDir, version: `${versionOf(type)}.0.0`, resource, operation };
}

/** Returns the path of the file that n8n's editor requests. */
export function schemaPath(ref: SchemaRef): string {
	return resolveOutputSchemaPath(lookup(ref)) ?? '';
}

/** Returns the schema that n8n finds by its own rules. */
export function schemaOf(ref: SchemaRef): Schema {
	return loadOutputSchema(lookup(ref)) as Schema;
}

/** Checks that an output matches its schema, which by default must name every field. */
export function expectToFit(ref: SchemaRef, json: IDataObject, shape = closed): void {
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	const validate = ajv.compile(shape(schemaOf(ref)));
	validate(json);
	expect(validate.errors ?? []).toEqual([]);
}

/** Returns the schema with more rules for each object in it. */
function stricter(schema: Schema, rulesOf: (properties: object) => Partial<Schema>): Schema {
	const { properties, items } = schema;
	const entries = Object.entries(properties ?? {}).map(([key, value]) => [
		key,
		stricter(value, rulesOf),
	]);
	return {
		...schema,
		...(properties && { properties: Object.fromEntries(entries), ...rulesOf(properties) }),
		...(items && { items: stricter(items, rulesOf) }),
	};
}

/** Returns the schema without additional properties, so that a field missing from it is noticed. */
const closed = (schema: Schema) => stricter(schema, () => ({ additionalProperties: false }));

/** Returns the schema with every field required, so that a field missing from the output is noticed. */
export const allRequired = (schema: Schema): Schema =>
	stricter(schema, (properties) => ({ required: Object.keys(properties) }));
