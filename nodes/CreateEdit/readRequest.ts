import { nameInUrl } from '../core/files/mediaTypes';
import { fingerprintOf } from '../core/submit/fingerprint';
import {
	type PreparedRequest,
	checkConfiguration,
	editRequestFor,
	sourceNames,
} from '../core/submit/prepareEdit';
import { type Configuration, readConfiguration } from '../core/config/readConfiguration';
import { linkHints, readLinks } from '../core/submit/links';
import { type SkipIdentity, readSkipIdentity } from '../core/skip/skipIdentity';
import type { NodeRun } from '../core/run/nodeRun';

/** A request as the form asks for it. */
export interface ReadRequest {
	readonly prepared: PreparedRequest;
	readonly configuration: Configuration;
	/** How the recording is recognized, if recordings already edited are skipped. */
	readonly recognized?: SkipIdentity;
}

/**
 * Reads the form for one recording. All checks are here, before the first request.
 *
 * @param itemIndices the items with the recording's files, which are its tracks if there are several
 * @throws NodeOperationError if a field cannot be used
 */
export function readRequest(run: NodeRun, itemIndices: readonly number[]): ReadRequest {
	const [itemIndex] = itemIndices;
	const links = itemIndices.flatMap((index) => readLinks(run, index));
	const files = links.map(({ url }) => url);
	const isNoise = run.option('jobType', itemIndex, 'edit') === 'noise';
	const configuration = readConfiguration(run, itemIndex, isNoise);
	const hints = checkConfiguration(run, itemIndex, configuration, files.map(nameInUrl));
	const prepared = {
		itemIndices,
		itemIndex,
		names: sourceNames(run, itemIndices, files),
		config: { ...configuration.config, ...configuration.additional.shown },
		isNoise,
		hints: [...hints, ...linkHints(links)],
		request: editRequestFor(configuration, files),
		fingerprint: fingerprintOf(run),
	};
	const recognized = readSkipIdentity(run, itemIndices, files);
	return { prepared, configuration, recognized };
}
