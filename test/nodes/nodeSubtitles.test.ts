import { type INodeParameters, NodeHelpers, Workflow } from 'n8n-workflow';

import { EngineNodeTypes, FixedItems } from '../support/engineNodeTypes';
import { groupedFormats } from '../support/grouped';
import { OUR_NODES, versionOf } from '../support/ourNodes';

/** Returns the text below a node on the canvas, evaluated as n8n's editor does. */
async function subtitleOf(type: string, parameters: INodeParameters): Promise<unknown> {
	const { description } = OUR_NODES[`n8n-nodes-audio-editing.${type}`];
	const node = {
		id: '1',
		name: 'Node',
		type: `n8n-nodes-audio-editing.${type}`,
		typeVersion: versionOf(type),
		position: [0, 0] as [number, number],
		parameters,
	};
	node.parameters =
		NodeHelpers.getNodeParameters(
			description.properties,
			parameters,
			true,
			false,
			node,
			description,
		) ?? {};
	const nodeTypes = new EngineNodeTypes(OUR_NODES, new FixedItems());
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	await workflow.expression.acquireIsolate();
	try {
		const { subtitle } = description;
		return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

const TEMPLATE = { configure: 'template', templateId: { __rl: true, mode: 'id', value: '12' } };

describe('the line below a node says what the form says', () => {
	it.each<[string, INodeParameters, string]>([
		['createEdit', {}, 'Enhance'],
		['createEdit', { preset: 'podcastEpisode' }, 'Podcast Episode'],
		['createEdit', { preset: '={{ $json.preset }}' }, 'Preset by Expression'],
		['createEdit', TEMPLATE, 'Template 12'],
		['createEdit', { configure: 'json' }, 'Using JSON'],
		['createEdit', { options: { jobType: 'noise' } }, 'Noise Reduction'],
		['createEdit', { options: { jobType: 'edit' }, preset: 'fullEdit' }, 'Full Edit'],
		['waitForEdit', {}, 'Up to 120 Minutes'],
		['waitForEdit', { options: { maximumWaitMinutes: 1 } }, 'Up to 1 Minute'],
		['getResult', {}, 'Edited File'],
		[
			'getResult',
			{ download: ['edited', 'markers'], ...groupedFormats(['subtitlesSrt']) },
			'Edited File, Markers, Subtitles (SRT)',
		],
		['getResult', { download: [] }, 'Links Only'],
		['upload', {}, 'File of the Item'],
		['upload', { binaryPropertyName: 'audio' }, 'File in Field audio'],
		['upload', { recordingFrom: 'all' }, 'All Files of the Item'],
		['upload', { binaryPropertyName: '={{ $json.field }}' }, 'File by Expression'],
		['delete', {}, 'Edit and Its Files'],
		['account', {}, 'Get Credit'],
		['account', { resource: 'configuration', operation: 'getAll' }, 'Get Templates'],
		['editFinishedTrigger', {}, 'Success or Failure'],
		['editFinishedTrigger', { outcomes: 'failure' }, 'Failure'],
	])('%s %j: %s', async (type, parameters, subtitle) => {
		expect(await subtitleOf(type, parameters)).toBe(subtitle);
	});
});
