import type { INodeTypeDescription } from 'n8n-workflow';

import { OUR_CREDENTIALS, OUR_NODES } from '../support/ourNodes';

/** Texts for people; they may change, but must be there. */
const TEXTS = ['action', 'description', 'displayName', 'errorMessage', 'hint', 'placeholder'];

/** Returns a form without its texts: the part that saved workflows and n8n depend on. */
function withoutTexts(form: unknown): unknown {
	if (Array.isArray(form)) return form.map(withoutTexts);
	if (typeof form !== 'object' || form === null) return form;
	const entries = Object.entries(form).flatMap(([key, value]) => {
		if (!TEXTS.includes(key) || typeof value !== 'string') return [[key, withoutTexts(value)]];
		expect(value.trim()).not.toBe('');
		return [[key, 'text']];
	});
	return Object.fromEntries(entries) as object;
}

/** Returns the form, a line for each field. */
function linesOf({ properties, ...rest }: Pick<INodeTypeDescription, 'properties'>): string[] {
	return [rest, ...properties].map((part) => JSON.stringify(withoutTexts(part)));
}

describe('a saved workflow rests on names, types and defaults, which change with a new version only', () => {
	const nodes = Object.values(OUR_NODES).map((node) => [node.constructor.name, node] as const);
	it.each(nodes)('%s', (_class, { description }) => {
		expect(linesOf(description)).toMatchSnapshot();
	});

	it.each(Object.entries(OUR_CREDENTIALS))('%s', (_name, credential) => {
		expect(linesOf(credential)).toMatchSnapshot();
	});
});
