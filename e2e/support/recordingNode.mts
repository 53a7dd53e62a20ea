import type { Changes } from './workflowFiles.mts';

/** The trigger of the workflows that are run by hand. */
export const MANUAL = "When clicking 'Execute workflow'";

/** Lets the node Create Edit of an example workflow ask for no texts, which need a recogniser. */
export const WITHOUT_TEXTS: Changes = { 'Create Edit': { options: {} } };

/** Lets the node Recording of an example workflow name this URL. */
export function recordingAt(url: string): Changes {
	const assignment = { id: 'a1', name: 'fileUrl', value: url, type: 'string' };
	return { Recording: { assignments: { assignments: [assignment] } } };
}
