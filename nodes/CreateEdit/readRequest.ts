import type { IExecuteFunctions } from 'n8n-workflow';

import { nameInUrl } from '../shared/fileNames';
import { GROUP_FIELD_NAMES } from './configGroups';
import { readDelivery, unsignedHints } from './delivery';
import {
	type PreparedRequest,
	checkConfiguration,
	editRequestFor,
	sourceFileNames,
} from './prepareEdit';
import { readConfiguration } from './readConfiguration';
import { linkHints, readLinks } from './readLinks';
import { readSkipRule } from './readSkipRule';

/** The fields with options: one in version 1, groups from version 2 on. */
const OPTION_FIELDS: readonly string[] = ['options', ...GROUP_FIELD_NAMES];

/**
 * Reads the form for one recording. All checks are here, before the first request.
 *
 * @param itemIndices the items with the recording's files, which are its tracks if there are several
 * @throws NodeOperationError if a field cannot be used
 */
export function readRequest(
	context: IExecuteFunctions,
	itemIndices: readonly number[],
): PreparedRequest {
	const [itemIndex] = itemIndices;
	const links = itemIndices.flatMap((index) => readLinks(context, index));
	const files = links.map(({ url }) => url);
	const delivery = readDelivery(context, itemIndex);
	const configuration = readConfiguration(context, itemIndex, OPTION_FIELDS);
	const config = {
		...configuration.config,
		...(delivery && { signed_url: delivery.signedUrl }),
	};
	const whole = { ...configuration, config };
	const hints = checkConfiguration(context, itemIndex, whole, files.map(nameInUrl));
	return {
		itemIndices,
		itemIndex,
		sourceFileName: sourceFileNames(context, itemIndices, files),
		config: { ...config, ...whole.additional.shown },
		isNoise: context.getNodeParameter('jobType', itemIndex) === 'noise',
		deliversTo: delivery?.executionId,
		skip: readSkipRule(context, itemIndices, files),
		hints: [...hints, ...linkHints(links), ...unsignedHints(delivery)],
		request: editRequestFor(whole, files),
	};
}
