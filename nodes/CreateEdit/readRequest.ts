import { nameInUrl } from '../shared/form/mediaTypes';
import { readDelivery } from '../shared/delivery/readDelivery';
import { fingerprintOf } from './submission/fingerprint';
import {
	type PreparedRequest,
	checkConfiguration,
	editRequestFor,
	sourceFileNames,
} from './prepareEdit';
import { CONFIGURING_FIELDS, readConfiguration } from './config/readConfiguration';
import { linkHints, readLinks } from './readLinks';
import { readSkipRule } from '../shared/skip/readSkipRule';
import type { NodeRun } from '../shared/run/nodeRun';

/** What noise reduction can do; n8n keeps the values of the fields that the form then hides. */
const NOISE_FIELDS: readonly string[] = ['cleanUp', 'delivery'];

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
	const isNoise = run.parameter('options.jobType', itemIndex, 'edit') === 'noise';
	const fields = isNoise ? NOISE_FIELDS : CONFIGURING_FIELDS;
	const configuration = readConfiguration(run, itemIndex, fields);
	const config = {
		...configuration.config,
		...(delivery && { signed_url: delivery.signedUrl }),
	};
	const whole = { ...configuration, config };
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
