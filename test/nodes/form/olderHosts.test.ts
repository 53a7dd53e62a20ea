import type { INodeTypeDescription } from 'n8n-workflow';

import { OUR_NODES } from '../../../testkit/n8n/ourNodes';

// The newest host's package without what the oldest one lacks.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<typeof import('n8n-workflow')>('n8n-workflow'),
	NodeConnectionTypes: undefined,
}));

it.each(Object.entries(OUR_NODES))(
	'%s loads in hosts where connections have no names yet',
	(type, node) => {
		const { inputs, outputs }: INodeTypeDescription = node.description;
		expect(inputs).toEqual(type.endsWith('Trigger') ? [] : ['main']);
		// An option of these nodes adds an output.
		if (!/\.(createEdit|audioEditing|waitForEdit)$/.test(type)) expect(outputs).toEqual(['main']);
	},
);
