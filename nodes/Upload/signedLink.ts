import type { IExecuteFunctions } from 'n8n-workflow';

import { isLoopback } from '../../api/credential';
import { isWebUrl } from '../../api/contract';
import { fieldError, readAmount } from '../shared/parameters';
import { openService } from '../shared/service';
import { LINK_VALIDITY_HOURS } from './fields';
import type { Source } from './source';

const UPLOAD_INSTEAD = "Set 'Transfer' to 'Upload'.";

const ADDRESS_ADVICE = `${UPLOAD_INSTEAD} Or set WEBHOOK_URL to the address under which this n8n is reached from outside.`;

/**
 * A link under which the service can fetch n8n's own copy of the file: nothing is transferred now.
 * Unlike the URL of an upload it carries its permission with it, and so it is the one signed query that
 * goes into an output.
 *
 * @throws NodeOperationError where this n8n has no such links, keeps the file in memory, or gives a link
 * that the service cannot reach.
 */
export async function signLink(
	context: IExecuteFunctions,
	itemIndex: number,
	{ binary, fileName }: Source,
): Promise<string> {
	const hours = Math.max(1, Math.ceil(readLinkHours(context, itemIndex)));
	const { helpers } = context;
	const refuse = (reason: string, advice = UPLOAD_INSTEAD) =>
		fieldError(
			context,
			itemIndex,
			`'Transfer' cannot be a signed link for '${fileName}': ${reason}`,
			advice,
		);
	// n8n 1.88 lacks it, 1.94 has it; the types know no older host.
	if (!('createBinarySignedUrl' in helpers)) throw refuse('this version of n8n signs none');
	if (binary.id === undefined) {
		throw refuse(
			'n8n keeps the file in memory',
			`${UPLOAD_INSTEAD} Or let n8n store files on disk: N8N_DEFAULT_BINARY_DATA_MODE=filesystem.`,
		);
	}
	const link = helpers.createBinarySignedUrl(binary, `${hours} hours`);
	if (!isWebUrl(link)) throw refuse('n8n does not know its own address', ADDRESS_ADVICE);
	const { origin } = await openService(context);
	if (isLoopback(link) && !isLoopback(origin)) {
		const own = new URL(link).origin;
		throw refuse(`the service cannot reach this n8n at ${own}`, ADDRESS_ADVICE);
	}
	return link;
}

function readLinkHours(context: IExecuteFunctions, itemIndex: number): number {
	const value: unknown = context.getNodeParameter(
		'options.linkValidHours',
		itemIndex,
		LINK_VALIDITY_HOURS,
	);
	return readAmount(context, itemIndex, 'Link Validity in Hours', value);
}
