import { z } from 'zod';

import { isRecord } from '../../api/contract/tolerance';

/** The paths of keys that a schema does not have. The entries of a list share their path. */
export function unknownKeys(value: unknown, schema: z.ZodTypeAny, path: string[] = []): string[] {
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
		return unknownKeys(value, schema.unwrap(), path);
	}
	if (schema instanceof z.ZodArray && Array.isArray(value)) {
		return value.flatMap((entry) => unknownKeys(entry, schema.element, path));
	}
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, entry]) => {
		const inside = insideOf(schema, key);
		const here = [...path, key];
		return inside === undefined ? [here.join('.')] : unknownKeys(entry, inside, here);
	});
}

/** The schema of a key's value; undefined for a key that a schema does not have. */
function insideOf(schema: z.ZodTypeAny, key: string): z.ZodTypeAny | undefined {
	if (schema instanceof z.ZodUnion) {
		const options = schema.options as readonly z.ZodTypeAny[];
		return options.map((option) => insideOf(option, key)).find((inside) => inside !== undefined);
	}
	if (schema instanceof z.ZodObject) return (schema.shape as z.ZodRawShape)[key];
	if (!(schema instanceof z.ZodRecord)) return z.unknown();
	return schema.keySchema.safeParse(key).success ? schema.valueSchema : undefined;
}
