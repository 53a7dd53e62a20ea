/** What a node's form shows when someone opens it: n8n's own rule, evaluated with the defaults. */
import {
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';

import { OUR_NODES } from '../../test/support/ourNodes.ts';

function fieldsAtOpening(description: INodeTypeDescription): INodeProperties[] {
	const { properties, version } = description;
	const node = { typeVersion: Number(version) };
	const values: INodeParameters =
		NodeHelpers.getNodeParameters(properties, {}, true, false, node, description) ?? {};
	return properties.filter(
		(field) =>
			field.type !== 'hidden' && NodeHelpers.displayParameter(values, field, node, description),
	);
}

/**
 * The forms of all nodes as they open: the labels of what people see (credentials, fields and notices), and the names
 * of the groups that n8n shows with "No properties".
 */
export const OPEN_FORMS = Object.values(OUR_NODES).map((node) => {
	const { description } = node;
	const fields = fieldsAtOpening(description);
	const credentials = (description.credentials ?? []).map(({ name }) => name);
	const isGroup = ({ type }: INodeProperties) =>
		type === 'collection' || type === 'fixedCollection';
	return {
		node: node.constructor.name,
		controls: [...credentials, ...fields.map(({ displayName }) => displayName)],
		emptyGroups: fields.filter(isGroup).map(({ name }) => name),
	};
});

/** The most controls with which one of these nodes opens. */
export function mostControls(...nodes: readonly string[]): number {
	const forms = OPEN_FORMS.filter(({ node }) => nodes.includes(node));
	return Math.max(...forms.map(({ controls }) => controls.length));
}
