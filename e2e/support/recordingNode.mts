import type { Changes } from './workflowFiles.mts';

/** The trigger of the workflows that run by hand. */
export const MANUAL = "When clicking 'Execute workflow'";

/** Makes Create Edit of an example workflow request no texts, which would need a recogniser. */
export const WITHOUT_TEXTS: Changes = { 'Create Edit': { options: {} } };

/** Sets the URL in the node Recording of an example workflow. */
export function recordingAt(url: string): Changes {
	const assignment = { id: 'a1', name: 'fileUrl', value: url, type: 'string' };
	return { Recording: { assignments: { assignments: [assignment] } } };
}
