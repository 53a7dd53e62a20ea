import assert from 'node:assert/strict';

import { z } from 'zod';

import { editSchema, type Edit } from '../../../service/shared/contract.mts';

/** Converts a value to JSON and back, which drops undefined keys. */
function asJson(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value));
}

/**
 * Parses a body with a schema of the API contract and asserts that nothing was dropped or converted.
 * The schemas are tolerant, but the local service must not rely on that.
 */
export function faithful<Output>(
	schema: z.ZodType<Output, z.ZodTypeDef, unknown>,
	body: unknown,
): Output {
	const parsed = schema.parse(body);
	assert.deepEqual(asJson(parsed), body, 'the schema changed the body');
	return parsed;
}

/** Does the same for the body of GET /v2/edits/{edit_id}. */
export function faithfulEdit(body: unknown): Edit {
	const parsed = editSchema.parse(body);
	const { task_id, status, failureReason: message } = parsed;
	if (message !== undefined) {
		assert.deepEqual(body, { task_id, status, result: { message } });
		return parsed;
	}
	if (parsed.result === undefined) {
		assert.deepEqual(asJson(parsed), body);
		return parsed;
	}
	// An empty array if not requested (api.md#social-content), which the schema converts to undefined.
	const result = { ...parsed.result, social_content: parsed.result.social_content ?? [] };
	assert.deepEqual(asJson({ ...parsed, result }), body, 'the schema changed the body');
	return parsed;
}

/** Returns the keys of a JSON object. */
export function keysOf(body: unknown): string[] {
	return Object.keys(z.record(z.unknown()).parse(body));
}
