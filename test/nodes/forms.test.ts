import {
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';

import { NODE } from '../support/nodeContext';
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

// Without the slash, n8n 1.68 gives up: it waits for a field of that name.
it('conditions on an option name it from the root of the form', () => {
	const fields = Object.values(OUR_NODES).flatMap(({ description }) => description.properties);
	const conditions = fields.flatMap(({ displayOptions = {} }) =>
		Object.values(displayOptions).flatMap((condition) => Object.keys(condition ?? {})),
	);
	const nested = conditions.filter((path) => path.includes('.'));
	expect(new Set(nested)).toEqual(new Set(['/options.jobType', '/options.deliverHere']));
});

it('no node has issues as it opens', () => {
	const issues = Object.values(OUR_NODES).flatMap(({ description }) => {
		const collection = description.properties.filter(({ name }) => name === 'options');
		const node = { ...NODE, typeVersion: Number(description.version), parameters: {} };
		const found = NodeHelpers.getNodeParametersIssues(collection, node, description);
		return Object.values(found?.parameters ?? {}).flat();
	});
	expect(issues).toEqual([]);
});

describe('the form of Create Edit', () => {
	const { description } = OUR_NODES['n8n-nodes-audio-editing.createEdit'];
	/** The fields that n8n's editor shows, in their order. */
	const shown = (options: INodeParameters) => {
		const values = { configure: 'fields', preset: 'fullEdit', options };
		return description.properties
			.filter((field) =>
				NodeHelpers.displayParameter(values, field, { typeVersion: 1 }, description),
			)
			.map(({ name }) => name);
	};
	const SOURCE = ['fileUrls', 'itemsAre', 'configure'];
	/** The options that can be added. */
	const addable = (options: INodeParameters) => {
		const values = { configure: 'fields', options };
		const collection = description.properties.find(({ name }) => name === 'options');
		const fields = (collection?.options ?? []) as INodeProperties[];
		return fields
			.filter((field) =>
				NodeHelpers.displayParameter(options, field, { typeVersion: 1 }, description, values),
			)
			.map(({ name }) => name);
	};

	it('goes from the source to the preset to the options', () => {
		expect(shown({})).toEqual([...SOURCE, 'preset', 'options']);
	});

	it('hides what noise reduction cannot do', () => {
		expect(shown({ jobType: 'noise' })).toEqual([...SOURCE, 'options']);
		const left = addable({ jobType: 'noise' });
		expect(addable({}).filter((name) => !left.includes(name))).toEqual([
			...['breath', 'fillers', 'hesitations', 'long_silences', 'mouth_sounds', 'muted'],
			...['social_content', 'stutters', 'summarize', 'transcription'],
		]);
	});

	it('warns about a delivery that nobody takes', () => {
		expect(shown({ deliverHere: true }).at(-1)).toBe('deliverNotice');
	});
});

describe('a saved workflow rests on names, types and defaults', () => {
	const nodes = Object.values(OUR_NODES).map((node) => [node.constructor.name, node] as const);
	it.each(nodes)('%s', (_class, { description }) => {
		expect(linesOf(description)).toMatchSnapshot();
	});

	it.each(Object.entries(OUR_CREDENTIALS))('%s', (_name, credential) => {
		expect(linesOf(credential)).toMatchSnapshot();
	});
});
