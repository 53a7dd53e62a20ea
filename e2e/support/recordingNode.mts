import type { Changes } from './workflowFiles.mts';

/** The trigger of the workflows that are run by hand. */
export const MANUAL = "When clicking 'Execute workflow'";

/** Lets the node Recording of an example workflow name this URL. */
export function recordingAt(url: string): Changes {
	const assignment = { id: 'a1', name: 'fileUrl', value: url, type: 'string' };
	return { Recording: { assignments: { assignments: [assignment] } } };
}
