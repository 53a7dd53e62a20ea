import { nameInUrl } from '../shared/form/mediaTypes';
import { readDelivery } from '../WaitForEdit/delivery/readDelivery';
import { fingerprintOf } from './submission/fingerprint';
import {
	type PreparedRequest,
	checkConfiguration,
	editRequestFor,
	sourceFileNames,
} from './prepareEdit';
import { readConfiguration } from './config/readConfiguration';
import { linkHints, readLinks } from './readLinks';
import { readSkipRule } from '../shared/skip/readSkipRule';
import type { NodeRun } from '../shared/run/nodeRun';

/**
 * Reads the form for one recording. All checks are here, before the first request.
 *
 * @param itemIndices the items with the recording's files, which are its tracks if there are several
 * @throws NodeOperationError if a field cannot be used
 */
export function readRequest(run: NodeRun, itemIndices: readonly number[]): PreparedRequest {
	const [itemIndex] = itemIndices;
	const links = itemIndices.flatMap((index) => readLinks(run, index));
	const files = links.map(({ url }) => url);
	const delivery = readDelivery(run, itemIndex);
	const isNoise = run.option('jobType', itemIndex, 'edit') === 'noise';
	const own = readConfiguration(run, itemIndex, isNoise);
	const config = { ...own.config, ...(delivery && { signed_url: delivery.signedUrl }) };
	const whole = { ...own, config };
	const hints = checkConfiguration(run, itemIndex, whole, files.map(nameInUrl));
	return {
		itemIndices,
		itemIndex,
		sourceFileName: sourceFileNames(run, itemIndices, files),
		config: { ...config, ...whole.additional.shown },
		isNoise,
		delivery,
		skip: readSkipRule(run, itemIndices, files),
		hints: [...hints, ...linkHints(links)],
		request: editRequestFor(whole, files),
		fingerprint: fingerprintOf(run),
	};
}
