import { leftBytes, type QuotaTools } from '../store/quota.mts';
import { HttpProblem, RateLimitProblem, ValidationProblem } from './problems.mts';

/** @throws HttpProblem (413) when a key's storage quota is used up. */
export async function refuseOverQuota(workbench: QuotaTools, ownerId: string): Promise<void> {
	if ((await leftBytes(workbench, ownerId)) > 0) return;
	throw new HttpProblem(
		413,
		`The storage quota of this API key (${workbench.quotaBytes} bytes) is used up: delete edits, or ` +
			'wait until their retention ends',
	);
}

/** Returns the refusal (429) of an edit whose key has too many unfinished ones. */
export function fullQueue(most: number): RateLimitProblem {
	return new RateLimitProblem(
		`${most} edits of this API key are unfinished. Please try again later.`,
	);
}

/** @throws ValidationProblem when a request names too many files. */
export function refuseManyTracks(files: readonly string[], most: number): void {
	if (files.length <= most) return;
	const ctx = { field_type: 'List', max_length: most, actual_length: files.length };
	const msg = `List should have at most ${most} items after validation, not ${files.length}`;
	throw new ValidationProblem([
		{ type: 'too_long', loc: ['body', 'input', 'files'], msg, input: null, ctx },
	]);
}
