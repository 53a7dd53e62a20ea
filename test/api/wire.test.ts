import fc from 'fast-check';
import { z } from 'zod';

import { WIRE } from '../../.ci/openapi/wire';
import {
	accountSchema,
	completedTasksSchema,
	configurationDetailSchema,
	configurationsSchema,
	editCreationSchema,
	editSchema,
	rateLimitErrorSchema,
	uploadSchema,
	validationErrorSchema,
} from '../../api/contract';

const WORD = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);

/** Any value that a check of a schema lets through, too. A text with a check is a URL. */
function thatFits(schema: z.ZodEffects<z.ZodTypeAny>): fc.Arbitrary<unknown> {
	const inner = schema.innerType();
	const values = inner instanceof z.ZodString ? fc.webUrl() : anyOf(inner);
	return values.filter((value) => schema.safeParse(value).success);
}

/** Any value that fits a schema of the wire. */
function anyOf(schema: z.ZodTypeAny): fc.Arbitrary<unknown> {
	if (schema instanceof z.ZodOptional) return fc.option(anyOf(schema.unwrap()), { nil: undefined });
	if (schema instanceof z.ZodNullable) return fc.option(anyOf(schema.unwrap()), { nil: null });
	if (schema instanceof z.ZodObject) {
		const entries = Object.entries<z.ZodTypeAny>(schema.shape);
		return fc.record(Object.fromEntries(entries.map(([key, value]) => [key, anyOf(value)])));
	}
	if (schema instanceof z.ZodArray) {
		const { minLength, maxLength } = schema._def;
		const lengths = { minLength: minLength?.value ?? 0, maxLength: maxLength?.value ?? 3 };
		return fc.array(anyOf(schema.element), lengths);
	}
	if (schema instanceof z.ZodRecord) {
		return fc.dictionary(anyOf(schema.keySchema).map(String), anyOf(schema.valueSchema));
	}
	if (schema instanceof z.ZodUnion) {
		return fc.oneof(...schema.options.map((option: z.ZodTypeAny) => anyOf(option)));
	}
	if (schema instanceof z.ZodEffects) return thatFits(schema);
	if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
	if (schema instanceof z.ZodLiteral) return fc.constant(schema.value);
	if (schema instanceof z.ZodBoolean) return fc.boolean();
	if (schema instanceof z.ZodNumber) {
		if (schema.isInt) return fc.nat();
		const { minValue, maxValue } = schema;
		return fc.double({ min: minValue ?? 0, max: maxValue ?? 1e6, noNaN: true });
	}
	if (schema instanceof z.ZodUnknown) return fc.oneof(fc.nat(), WORD, fc.constant(null));
	if (!(schema instanceof z.ZodString)) throw new Error(`no value for ${schema.constructor.name}`);
	const isDate = schema.isDatetime;
	return isDate ? fc.date({ noInvalidDate: true }).map((date) => date.toISOString()) : WORD;
}

/** Without keys that are undefined, as it is sent. */
function asSent(body: unknown): unknown {
	return JSON.parse(JSON.stringify(body));
}

describe('whatever the API documents on the wire, the readers keep unchanged:', () => {
	it.each<[string, z.ZodTypeAny, z.ZodTypeAny]>([
		[
			'an upload',
			WIRE.Upload.extend({ signedUrl: z.literal('https://x.example/a?b') }),
			uploadSchema,
		],
		['the creation of an edit', WIRE.EditCreation, editCreationSchema],
		['an account', WIRE.Account, accountSchema],
		['the list of templates', WIRE.ConfigurationsResponse, configurationsSchema],
		['a template', WIRE.ConfigurationDetail, configurationDetailSchema],
		['completed tasks', WIRE.TemplateTasksResponse, completedTasksSchema],
		['the body of a 429', WIRE.RateLimitError, rateLimitErrorSchema],
	])('%s', (_name, wire, reader) => {
		fc.assert(
			fc.property(anyOf(wire).map(asSent), (body) => {
				expect(asSent(reader.parse(body))).toEqual(body);
			}),
		);
	});

	it('a validation error with an entry', () => {
		fc.assert(
			fc.property(anyOf(WIRE.ValidationError).map(asSent), (body) => {
				const { detail } = WIRE.ValidationError.parse(body);
				const read = validationErrorSchema.safeParse(body);
				expect(asSent(read.data ?? null)).toEqual(detail.length === 0 ? null : body);
			}),
		);
	});

	it('an edit with a result, except for an empty list in place of posts', () => {
		const finished = WIRE.Edit.extend({
			result: WIRE.EditResult.required({ filename: true }).optional(),
		});
		fc.assert(
			fc.property(anyOf(finished).map(asSent), (body) => {
				const edit = finished.parse(body);
				if (Array.isArray(edit.result?.social_content)) delete edit.result.social_content;
				expect(editSchema.parse(body)).toMatchObject(edit);
			}),
		);
	});

	it('how much of the speech of an edit is recognized', () => {
		const status = z.enum(['PREPROCESSING', 'POSTPROCESSING']);
		const running = WIRE.Edit.extend({ status, result: WIRE.EditProgress });
		fc.assert(
			fc.property(anyOf(running).map(asSent), (body) => {
				const { done } = running.parse(body).result;
				const text = `${done} of 100, recognizing speech`;
				const { result, editProgress } = editSchema.parse(body);
				expect([result, editProgress]).toEqual([undefined, { done, total: 100, text }]);
			}),
		);
	});
});
