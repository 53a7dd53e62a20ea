import type { z, ZodIssue, ZodTypeDef } from 'zod';

import type { ValidationDetail } from '../../shared/contract.mts';
import { ValidationProblem } from './problems.mts';

type Location = Array<string | number>;

/** How the real service names an issue in its validation errors, in pydantic's words. */
interface Naming {
	type: string;
	msg: string;
	ctx?: Record<string, unknown>;
}

/** Limits the response: an entry for each issue could make it a hundred times as long as the request. */
const MAX_DETAILS = 50;

/** Keys of integers; zod reports wrong types there as `number`, too. */
const INTEGER_KEYS: ReadonlySet<string | number | undefined> = new Set(['template_id']);

const INTEGER = 'Input should be a valid integer';

const FINITE_NAMING: Naming = { type: 'finite_number', msg: 'Input should be a finite number' };

/** Names of wrong types, by the type that zod expected. */
const TYPE_NAMINGS: Readonly<Record<string, Naming>> = {
	string: { type: 'string_type', msg: 'Input should be a valid string' },
	boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
	integer: { type: 'int_type', msg: INTEGER },
	number: { type: 'float_type', msg: 'Input should be a valid number' },
	array: { type: 'list_type', msg: 'Input should be a valid list' },
	object: {
		type: 'model_attributes_type',
		msg: 'Input should be a valid dictionary or object to extract fields from',
	},
};

/**
 * Parses a part of a request.
 * @param where the first part of every `loc`.
 * @throws ValidationProblem with one entry per issue, at most 50.
 */
export function validate<Output>(
	schema: z.ZodType<Output, ZodTypeDef, unknown>,
	value: unknown,
	where: 'body' | 'query' | 'path',
): Output {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const issues = parsed.error.issues.slice(0, MAX_DETAILS);
	const details = issues.flatMap((issue) => detailsOf(issue, value, where));
	throw new ValidationProblem(details.slice(0, MAX_DETAILS));
}

/** Returns the entries for one of zod's issues: one per superfluous key, one per member of a union. */
function detailsOf(issue: ZodIssue, root: unknown, where: string): ValidationDetail[] {
	if (issue.code === 'invalid_union') {
		const issues = issue.unionErrors.flatMap((error) => error.issues);
		return issues.flatMap((member) => detailsOf(member, root, where));
	}
	if (issue.code === 'unrecognized_keys') {
		const naming = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };
		return issue.keys.map((key) => detailOf(naming, [...issue.path, key], root, where));
	}
	if (issue.code === 'invalid_type' && issue.received === 'undefined') {
		// The input of a missing field is the object that lacks it.
		const input = valueAt(root, issue.path.slice(0, -1)) ?? null;
		return [{ type: 'missing', msg: 'Field required', loc: [where, ...issue.path], input }];
	}
	if (issue.code === 'too_big' && issue.type === 'array') {
		const list = valueAt(root, issue.path);
		const actual = Array.isArray(list) ? list.length : 0;
		return [tooLong([where, ...issue.path], Number(issue.maximum), actual)];
	}
	return [detailOf(namingOf(issue, root), issue.path, root, where)];
}

/** Names a list that is too long, without the list. */
export function tooLong(loc: Location, most: number, actual: number): ValidationDetail {
	const ctx = { field_type: 'List', max_length: most, actual_length: actual };
	const msg = `List should have at most ${most} items after validation, not ${actual}`;
	return { type: 'too_long', loc, msg, input: null, ctx };
}

function detailOf(naming: Naming, path: Location, root: unknown, where: string): ValidationDetail {
	return { ...naming, loc: [where, ...path], input: valueAt(root, path) ?? null };
}

/** Returns the name of a single issue. */
function namingOf(issue: ZodIssue, root: unknown): Naming {
	switch (issue.code) {
		case 'invalid_type':
			if (issue.expected === 'number' && INTEGER_KEYS.has(issue.path.at(-1))) {
				return integerNaming(valueAt(root, issue.path));
			}
			// JSON.parse reads 1e400 as Infinity.
			if (Math.abs(Number(valueAt(root, issue.path))) === Infinity) return FINITE_NAMING;
			return typeNaming(issue.expected, issue.received);
		case 'invalid_enum_value': {
			const expected = issue.options.map((option) => `'${option}'`).join(', ');
			return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } };
		}
		case 'too_small':
			return tooSmallNaming(issue.type, Number(issue.minimum));
		case 'too_big': {
			const most = Number(issue.maximum);
			if (issue.type === 'string') return longTextNaming(most);
			const msg = `Input should be less than or equal to ${most}`;
			return { type: 'less_than_equal', msg, ctx: { le: most } };
		}
		case 'not_finite':
			return FINITE_NAMING;
		case 'custom': {
			const isEmpty = valueAt(root, issue.path) === '';
			const msg = isEmpty ? `${issue.message}, not an empty text` : issue.message;
			return { type: 'url_parsing', msg, ctx: { error: msg } };
		}
		default:
			return { type: 'value_error', msg: issue.message };
	}
}

function typeNaming(expected: string, received: string): Naming {
	if (expected === 'integer' && received === 'float') {
		return { type: 'int_from_float', msg: `${INTEGER}, got a number with a fractional part` };
	}
	return TYPE_NAMINGS[expected] ?? { type: 'value_error', msg: `Input should be ${expected}` };
}

/** Names a value that is not an integer. */
function integerNaming(value: unknown): Naming {
	const isNoNumber = typeof value === 'string' && !/^\s*[+-]?\d+\s*$/.test(value);
	if (!isNoNumber) return typeNaming('integer', typeof value);
	return { type: 'int_parsing', msg: `${INTEGER}, unable to parse string as an integer` };
}

function longTextNaming(most: number): Naming {
	const msg = `String should have at most ${most} characters`;
	return { type: 'string_too_long', msg, ctx: { max_length: most } };
}

/** Names a list that is too short, or a number below its minimum. */
function tooSmallNaming(kind: string, minimum: number): Naming {
	if (kind === 'array') {
		const msg = `List should have at least ${minimum} item after validation, not 0`;
		const ctx = { field_type: 'List', min_length: minimum, actual_length: 0 };
		return { type: 'too_short', msg, ctx };
	}
	const msg = `Input should be greater than or equal to ${minimum}`;
	return { type: 'greater_than_equal', msg, ctx: { ge: minimum } };
}

/** Returns the value at a path inside the input, or undefined. */
function valueAt(root: unknown, path: Location): unknown {
	let value = root;
	for (const key of path) {
		if (typeof value !== 'object' || value === null) return undefined;
		value = Object.getOwnPropertyDescriptor(value, key)?.value;
	}
	return value;
}
