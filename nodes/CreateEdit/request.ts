import { nameInUrl } from '../core/files/mediaTypes';
import { sourceNames } from '../core/files/sourceNames';
import {
	type PreparedRequest,
	checkConfiguration,
	editRequestFor,
	fingerprintOf,
} from '../core/submit/prepareEdit';
import { type Configuration, readConfiguration } from '../core/config/readConfiguration';
import { uploadedIdentities } from '../core/config/showKit';
import { linkHints, readLinks } from '../core/submit/links';
import { readShowKit } from '../core/submit/readShowKit';
import { type SkipIdentity, readSkipIdentity } from '../core/skip/skipIdentity';
import { readForm } from '../core/form/readForm';
import type { Form } from '../core/form/values';
import { TRACK_FIELDS } from './fields';
import type { NodeRun } from '../core/run/nodeRun';

/** A request as the form asks for it. */
export interface ReadRequest {
	/** The items whose files the output keeps. */
	readonly keptOf: readonly number[];
	readonly prepared: PreparedRequest;
	readonly configuration: Configuration;
	/** How the recording is recognized, if recordings already edited are skipped. */
	readonly recognized?: SkipIdentity;
}

/**
 * Reads the form for one recording. All checks are here, before the first request.
 *
 * @param form of the first item
 * @param itemIndices the items with the recording's files, which are its tracks if there are several
 * @throws NodeOperationError if a field cannot be used
 */
export function readRequest(run: NodeRun, form: Form, itemIndices: readonly number[]): ReadRequest {
	const { itemIndex, options } = form;
	const [, ...others] = itemIndices;
	const tracks = others.map((index) => {
		const track = readForm(run.context, TRACK_FIELDS, index, run.isTool, 'item');
		return { ...track, options };
	});
	const links = [form, ...tracks].flatMap((track) => readLinks(run, track));
	const files = links.map(({ url }) => url);
	const names = files.map(nameInUrl);
	const kit = readShowKit(run, form);
	const configuration = { ...readConfiguration(run, form, names), ...(kit && { kit }) };
	const hints = checkConfiguration(run, itemIndex, configuration, names);
	const prepared = {
		itemIndices,
		itemIndex,
		names: sourceNames(run, itemIndices, files),
		config: { ...configuration.config, ...configuration.additional.shown },
		isNoise: options.jobType === 'noise',
		hints: [...hints, ...linkHints(links)],
		request: editRequestFor(configuration, files),
		fingerprint: fingerprintOf(run, uploadedIdentities(kit)),
	};
	const recognized = readSkipIdentity(run, form, itemIndices, files);
	const keptOf = options.keepInputFiles === true ? itemIndices : [];
	return { keptOf, prepared, configuration, recognized };
}
