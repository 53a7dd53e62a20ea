import type { Changes } from './workflowFiles.mts';

/** The trigger of the workflows that run by hand. */
export const MANUAL = "When clicking 'Execute workflow'";

/** Sets the URL in the node Recording of an example workflow. */
export function recordingAt(url: string): Changes {
	const assignment = { id: 'a1', name: 'fileUrl', value: url, type: 'string' };
	return { Recording: { assignments: { assignments: [assignment] } } };
}
