import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

import { readText } from '../texts';

/** The name of {@link searchConfigurations} in the nodes' `listSearch`. */
const SEARCH_METHOD = 'searchConfigurations';

/** A field for one of the account's templates, from a list or by its number. */
export function configurationField(
	more: Pick<INodeProperties, 'displayName' | 'name' | 'description'> & Partial<INodeProperties>,
): INodeProperties {
	return {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: SEARCH_METHOD, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 12',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^\\s*\\d+\\s*$',
							errorMessage: 'The ID is a whole number',
						},
					},
				],
			},
		],
		...more,
	};
}

/** The number of a template from the field's value; undefined for anything else. */
export function parseConfigurationId(value: unknown): number | undefined {
	const text = readText(value).trim();
	return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/** The error's text for a value that {@link parseConfigurationId} does not take. */
export function configurationRefusal(value: unknown) {
	const text = readText(value).trim();
	return {
		message: text === '' ? "'Template' is empty" : `'Template' is not a whole number: '${text}'`,
		advice: 'Choose one from the list, or enter its number.',
	};
}

/** The account's templates whose name contains the filter, for the field's list. */
export async function searchConfigurations(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const { openService } = await import('../run/service');
	const { valueOrThrow } = await import('../errors/errors');
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
