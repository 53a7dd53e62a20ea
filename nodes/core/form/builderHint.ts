import type { INodeTypeDescription } from 'n8n-workflow';

/** What n8n's AI workflow builder reads about a node, besides its description. Older versions ignore it. */
type BuilderHint = NonNullable<INodeTypeDescription['builderHint']>;

/** Our nodes that a workflow can need next to another, and why. */
const RELATIONS = {
	audioEditing: 'Does all steps in one node, from a file or URL to the edited file',
	upload: 'Uploads a file first, if Audio Editing Create Edit is used instead of the one node',
	createEdit: 'Submits the edit of an uploaded file or a public URL',
	waitForEdit: 'Waits for the edits that Audio Editing Create Edit submitted, all items together',
	getResult:
		'Downloads the edited file of a finished edit, with subtitles, chapters and show notes',
	delete: 'Deletes the edit on the service, once another node has stored its files',
} as const;

/**
 * The hint of a node for n8n's AI workflow builder, which shows it in its search for nodes.
 *
 * @param searchHint when to use the node, without expressions
 * @param related the nodes to use together with it
 */
export function builderHint(
	searchHint: string,
	...related: Array<keyof typeof RELATIONS>
): BuilderHint {
	const relatedNodes = related.map((name) => ({
		nodeType: `n8n-nodes-audio-editing.${name}`,
		relationHint: RELATIONS[name],
	}));
	return { searchHint, relatedNodes };
}
