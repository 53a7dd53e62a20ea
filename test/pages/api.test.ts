/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import { readFileSync } from 'fs';

import { WIRE } from '../../.ci/openapi/wire';
import { EDIT_CONFIG_DEFAULTS, EDIT_STATUSES } from '../../api/contract';
import openapi from '../../docs/openapi.json';
import { tableOf } from '../../testkit/text/markdown';

const page = readFileSync('docs/api.md', 'utf8');

/** Returns the section under a heading, up to the next one. */
function section(heading: string): string {
	const [, text = ''] = page.split(`## ${heading}\n`);
	return text.split('\n#')[0];
}

function firstColumn(heading: string, column: string): string[] {
	return tableOf(section(heading), column).map(([cell]) => cell);
}

describe('docs/api.md has what the contract has:', () => {
	it('the keys of the configuration and their defaults', () => {
		const rows = tableOf(section('Configuration'), 'Key', 'Type', 'Default');
		const defaults = rows.map(([key, , value]) => [key, value.replaceAll('`', '')]);
		expect(Object.fromEntries(defaults)).toEqual(
			Object.fromEntries(
				Object.entries(EDIT_CONFIG_DEFAULTS).map(([key, value]) => [key, String(value)]),
			),
		);
	});

	it('the states', () => {
		expect(firstColumn('States', 'Status')).toEqual(EDIT_STATUSES);
	});

	it('the keys of an edit, its result and its texts', () => {
		expect(firstColumn('Read an edit', 'Field')).toEqual(Object.keys(WIRE.Edit.shape));
		expect(firstColumn('Result', 'Key')).toEqual(Object.keys(WIRE.EditResult.shape));
		expect(firstColumn('Summarization', 'Key')).toEqual(Object.keys(WIRE.Summarization.shape));
		expect(firstColumn('Completed tasks', 'Field')).toEqual(Object.keys(WIRE.TemplateTask.shape));
	});

	it('the endpoints', () => {
		const named = firstColumn('Endpoints', 'Request')
			.join(' ')
			.matchAll(/`([A-Z]+) (\/[^`?]*)/g);
		const described = Object.entries(openapi.paths).flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
		);
		// The local service's own are in docs/service/.
		const common = described.filter((endpoint) => !endpoint.includes(' /local/'));
		expect([...named].map(([, method, path]) => `${method} ${path}`).sort()).toEqual(common.sort());
	});
});
