import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { openService, valueOrThrow } from '../shared/service';

/** The account's configurations whose name contains the filter, for a "From List" field. */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const { client } = await openService(this);
	const context = { doing: 'list the templates' };
	const configurations = valueOrThrow(await client.listConfigurations(), this.getNode(), context);
	const wanted = filter.trim().toLowerCase();
	return {
		results: configurations
			.filter(({ name }) => name.toLowerCase().includes(wanted))
			.map(({ name, id }) => ({ name, value: id })),
	};
}
