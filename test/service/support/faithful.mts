import assert from 'node:assert/strict';

import { z } from 'zod';

import { editSchema, type Edit } from '../../../service/shared/contract.mts';

/** What JSON keeps of a value: no undefined keys. */
function asJson(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value));
}

/**
 * Parses a body with a schema of the contract, and fails when the schema had to overlook anything:
 * its schemas are tolerant, but our own service shall give them no reason to be.
 */
export function faithful<Output>(
	schema: z.ZodType<Output, z.ZodTypeDef, unknown>,
	body: unknown,
): Output {
	const parsed = schema.parse(body);
	assert.deepEqual(asJson(parsed), body, 'the contract had to overlook something');
	return parsed;
}

/** The same for the body of GET /v2/edits/{edit_id}. */
export function faithfulEdit(body: unknown): Edit {
	const parsed = editSchema.parse(body);
	if (parsed.result === undefined) {
		assert.deepEqual(asJson(parsed), body);
		return parsed;
	}
	// Spec "result fields": an empty array when not requested; the contract reads it as nothing.
	const result = { ...parsed.result, social_content: parsed.result.social_content ?? [] };
	assert.deepEqual(asJson({ ...parsed, result }), body, 'the contract had to overlook something');
	return parsed;
}

/** The keys of a JSON object. */
export function keysOf(body: unknown): string[] {
	return Object.keys(z.record(z.unknown()).parse(body));
}
