import assert from 'node:assert/strict';

import { z } from 'zod';

import { editSchema, type Edit, type EditProgress } from '../../service/shared/contract.mts';

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

/** The progress as the local service sends it. */
function progressOf({ done, total, text }: EditProgress) {
	return { done, total, step: text.replace(`${done} of ${total}, `, '') };
}

/** Does the same for the body of GET /v2/edits/{edit_id}. */
export function faithfulEdit(body: unknown): Edit {
	const parsed = editSchema.parse(body);
	const { failureReason: message, result, editProgress, ...edit } = parsed;
	// An empty array if not requested (api.md#social-content), which the schema converts to undefined.
	const full = result && { ...result, social_content: result.social_content ?? [] };
	const instead = message === undefined ? editProgress && progressOf(editProgress) : { message };
	const expected = { ...edit, result: instead ?? full };
	assert.deepEqual(asJson(expected), body, 'the schema changed the body');
	return parsed;
}
