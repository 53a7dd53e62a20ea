import type { z } from 'zod';

import { unknownKeys } from '../support/unknownKeys.ts';

/** Something that the contract does not say, at a place such as `result.waveform_result`. */
export interface Finding {
	readonly call: string;
	readonly what: string;
}

/** Findings about a body: that the contract refuses it, or keys that docs/api.md does not show. */
export function findingsIn(call: string, body: unknown, schema: z.ZodTypeAny, wire: z.ZodTypeAny) {
	const parsed = schema.safeParse(body);
	const refused = parsed.success
		? []
		: parsed.error.issues.map(
				({ path, message }) => `the contract refuses '${path.join('.')}': ${message}`,
			);
	const unknown = unknownKeys(body, wire).map((path) => `unknown key '${path}'`);
	const findings = [...refused, ...new Set(unknown)].map((what) => ({ call, what }));
	return { isRefused: !parsed.success, findings };
}
