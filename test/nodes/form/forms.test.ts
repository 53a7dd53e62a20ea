import {
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';
import { NOT_FOR_NOISE } from '../../../nodes/core/config/keyGroups';
import { OPTION_COLLECTIONS } from '../../../nodes/core/form/optionGroups';
import { workflowOf } from '../../../testkit/n8n/engineNodeTypes';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import { NODE } from '../../../testkit/n8n/nodeContext';
import { OUR_CREDENTIALS, OUR_NODES, versionOf } from '../../../testkit/n8n/ourNodes';

/** Texts for people; they may change, but must be there. */
const TEXTS = [
	'action',
	'description',
	'displayName',
	'errorMessage',
	'hint',
	'placeholder',
	'documentationUrl',
];

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

// Without the slash, older versions of n8n give up: they wait for a field of that name.
it('conditions on an option name it from the root of the form', () => {
	const fields = Object.values(OUR_NODES).flatMap(({ description }) => description.properties);
	const conditions = fields.flatMap(({ displayOptions = {} }) =>
		Object.values(displayOptions).flatMap((condition) => Object.keys(condition ?? {})),
	);
	const nested = conditions.filter((path) => path.includes('.'));
	expect(new Set(nested)).toEqual(new Set(['/advanced.jobType']));
});

it('no node has issues as it opens', () => {
	const issues = Object.values(OUR_NODES).flatMap(({ description }) => {
		const collection = description.properties.filter(({ name }) => OPTION_COLLECTIONS.has(name));
		const node = { ...NODE, typeVersion: Number(description.version), parameters: {} };
		const found = NodeHelpers.getNodeParametersIssues(collection, node, description);
		return Object.values(found?.parameters ?? {}).flat();
	});
	expect(issues).toEqual([]);
});

describe('the form of Create Edit', () => {
	const { description } = OUR_NODES['n8n-nodes-audio-editing.createEdit'];
	/** The fields that n8n's editor shows, in their order. */
	const shown = (advanced: INodeParameters) => {
		const values = { configure: 'fields', preset: 'fullEdit', advanced };
		return description.properties
			.filter((field) =>
				NodeHelpers.displayParameter(values, field, { typeVersion: 1 }, description),
			)
			.map(({ name }) => name);
	};
	const SOURCE = ['fileUrls', 'itemsAre', 'configure'];
	const GROUPS = [
		'files',
		'transcriptAndNotes',
		'costAndSafety',
		'introAndOutro',
		'fineControl',
		'advanced',
	];
	/** The options that can be added. */
	const addable = (advanced: INodeParameters) => {
		const values: INodeParameters = { configure: 'fields', advanced };
		const groups = description.properties.filter(({ name }) => OPTION_COLLECTIONS.has(name));
		const fields = groups.flatMap(({ name, options = [] }) =>
			(options as INodeProperties[]).map((field) => ({ beside: values[name] ?? {}, field })),
		);
		return fields
			.filter(({ beside, field }) =>
				NodeHelpers.displayParameter(
					beside as INodeParameters,
					field,
					{ typeVersion: 1 },
					description,
					values,
				),
			)
			.map(({ field }) => field.name)
			.sort();
	};

	it('goes from the source to the preset to the options', () => {
		expect(shown({})).toEqual([...SOURCE, 'preset', 'picture', 'cuts', 'sound', ...GROUPS]);
	});

	it('hides what noise reduction cannot do', () => {
		const left = GROUPS.filter((name) => name !== 'transcriptAndNotes');
		expect(shown({ jobType: 'noise' })).toEqual([...SOURCE, 'picture', 'sound', ...left]);
		const options = addable({ jobType: 'noise' });
		expect(addable({}).filter((name) => !options.includes(name))).toEqual(
			[...NOT_FOR_NOISE].sort(),
		);
		expect([...NOT_FOR_NOISE]).toEqual(expect.arrayContaining(['fillers', 'muted', 'summarize']));
		expect(options).toEqual(expect.arrayContaining(['remove_noise', 'normalize', 'export_format']));
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

const FIELDS = Object.values(OUR_NODES).flatMap(({ description }) =>
	description.properties.map((field) => ({ node: description.displayName, ...field })),
);

describe('the texts of the forms', () => {
	// n8n's editor shows the result of an expression in place of the hint.
	it('have no hint where the field can hold an expression: the description says it', () => {
		const lost = FIELDS.filter(({ hint, noDataExpression }) => hint && noDataExpression !== true);
		expect(lost.map(({ node, displayName }) => `${node}: ${displayName}`)).toEqual([]);
	});

	it('put units in brackets', () => {
		const loose = FIELDS.filter(({ displayName }) =>
			/(?<!\()\b(seconds|minutes|hours|LUFS|MB)\b/i.test(displayName),
		);
		expect(loose.filter(({ type }) => type !== 'notice')).toEqual([]);
	});

	it('name a needed option in single quotes', () => {
		const texts = JSON.stringify(FIELDS).match(/Needs .[^."]*/g) ?? [];
		expect(texts.length).toBeGreaterThan(10);
		expect(texts.filter((text) => !/^Needs '[^']+'/.test(text))).toEqual([]);
	});

	it('name each operation with its resource and without articles', () => {
		const operations = FIELDS.filter(({ name }) => name === 'operation');
		const actions = operations.flatMap(({ options = [] }) =>
			options.map((option) => ('action' in option ? (option.action ?? '') : '')),
		);
		expect(actions).toHaveLength(8);
		expect(actions.filter((action) => !/^[A-Z]/.test(action))).toEqual([]);
		expect(actions.filter((action) => /\b(an?|the)\b/i.test(action))).toEqual([]);
	});

	it('call a template a template, and never say configuration', () => {
		const shown = FIELDS.flatMap(({ displayName, description, hint, options = [] }) => [
			displayName,
			description,
			hint,
			...options.flatMap((option) => [
				'displayName' in option ? option.displayName : option.name,
				'description' in option ? option.description : '',
				'action' in option ? option.action : '',
			]),
		]);
		const titles = Object.values(OUR_NODES).map(({ description }) => description.description);
		const other = [...shown, ...titles].filter((text) => /configuration/i.test(text ?? ''));
		expect([...new Set(other)]).toEqual([]);
	});
});

/** Returns the text below a node on the canvas, evaluated as n8n's editor does. */
async function subtitleOf(type: string, parameters: INodeParameters): Promise<unknown> {
	const { description } = OUR_NODES[`n8n-nodes-audio-editing.${type}`];
	const { properties, subtitle } = description;
	const node = {
		id: '1',
		name: 'Node',
		type: `n8n-nodes-audio-editing.${type}`,
		typeVersion: versionOf(type),
		position: [0, 0] as [number, number],
		parameters,
	};
	node.parameters =
		NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {};
	const workflow = workflowOf({ nodes: [node], connections: {} }, OUR_NODES);
	await workflow.expression.acquireIsolate();
	try {
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
		['createEdit', { advanced: { jobType: 'noise' } }, 'Noise Reduction'],
		['createEdit', { advanced: { jobType: 'edit' }, preset: 'fullEdit' }, 'Full Edit'],
		['waitForEdit', {}, 'Up to 120 Minutes'],
		['waitForEdit', { advanced: { maximumWaitMinutes: 1 } }, 'Up to 1 Minute'],
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
		['editFinishedTrigger', {}, 'Succeeded or Failed'],
		['editFinishedTrigger', { outcomes: 'failure' }, 'Failed'],
	])('%s %j: %s', async (type, parameters, subtitle) => {
		expect(await subtitleOf(type, parameters)).toBe(subtitle);
	});
});
