import { isLoopback } from '../../../api/credential';
import { isWebUrl } from '../../../api/contract';
import { fieldError } from '../form/fieldError';
import type { Source } from './source';
import type { NodeRun } from '../run/nodeRun';

const UPLOAD_INSTEAD = "Set 'Transfer' to 'Upload'.";

const ADDRESS_ADVICE = `${UPLOAD_INSTEAD} Or set N8N_WEBHOOK_URL (before n8n 2.30, WEBHOOK_URL) to the address at which this n8n can be reached from outside.`;

/**
 * A signed link to n8n's own copy of the file, which the service fetches later. It needs its query, so
 * it is the only signed query in an output.
 *
 * @param validHours how long the link is valid, in hours; rounded up, at least 1
 * @throws NodeOperationError if n8n keeps the file in memory, or has an address that the service
 * cannot reach
 */
export async function signLink(
	run: NodeRun,
	itemIndex: number,
	{ binary, fileName }: Source,
	validHours: number,
): Promise<string> {
	const { helpers } = run.context;
	const refuse = (reason: string, advice = UPLOAD_INSTEAD) => {
		const message = `'Transfer' cannot be set to 'Signed Link' for '${fileName}': ${reason}`;
		return fieldError(run, itemIndex, message, advice);
	};
	if (binary.id === undefined) {
		const orStore = 'Or let n8n store files on disk: N8N_DEFAULT_BINARY_DATA_MODE=filesystem.';
		throw refuse('n8n keeps the file in memory', `${UPLOAD_INSTEAD} ${orStore}`);
	}
	const link = helpers.createBinarySignedUrl(binary, `${Math.max(1, Math.ceil(validHours))} hours`);
	if (!isWebUrl(link)) throw refuse('n8n does not know its own address', ADDRESS_ADVICE);
	const { origin } = await run.openService();
	if (isLoopback(link) && !isLoopback(origin)) {
		const own = new URL(link).origin;
		throw refuse(`the service cannot reach this n8n at ${own}`, ADDRESS_ADVICE);
	}
	return link;
}
