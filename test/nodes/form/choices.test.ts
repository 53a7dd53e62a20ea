import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { readForm } from '../../../nodes/core/form/readForm';
import { callAsTool } from '../../../testkit/n8n/callAsTool';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { NODE } from '../../../testkit/n8n/nodeContext';
import { OUR_NODES } from '../../../testkit/n8n/ourNodes';
import { polledNode } from '../../../testkit/n8n/pollNode';
import { runOne, useService } from '../../../testkit/service/useService';

const service = useService();

/** A list or a switch of a form, and the parameters with which the form shows it. */
interface Choice {
	readonly node: string;
	readonly label: string;
	/** Where it is, such as `transcriptAndNotes.speakers.speaker.role`. */
	readonly path: readonly string[];
	readonly type: string;
	readonly isForTools: boolean;
	readonly shownWith: INodeParameters;
}

/** What an expression may return instead of a value that a list has. */
const NO_CHOICE = {
	nothing: '={{ undefined }}',
	null: '={{ null }}',
	'an empty text': '={{ "" }}',
	'a misspelled value': '={{ "Submit again" }}',
	'a number': '={{ 7 }}',
	'an object': '={{ ({}) }}',
};

const [ALL_CHOICES, TOOL_CHOICES] = [false, true].map((isForTools) =>
	Object.entries(OUR_NODES)
		.flatMap(([type, { description }]) =>
			choicesIn(description.properties, type.split('.').at(-1)!, [], {}),
		)
		.filter((choice) => choice.isForTools === isForTools),
);

/** Returns every list and switch of a form. A condition on a field at the root of the form begins with a slash. */
function choicesIn(
	fields: readonly INodeProperties[],
	node: string,
	place: readonly string[],
	above: INodeParameters,
): Choice[] {
	return fields.flatMap((field) => {
		const { show = {} } = field.displayOptions ?? {};
		const path = [...place, field.name];
		const shownWith = structuredClone(above);
		for (const [name, [value]] of Object.entries(show as Record<string, unknown[]>)) {
			const at = name.startsWith('/') ? name.slice(1).split('.') : [...place, name];
			if (name !== '@tool') put(shownWith, at, value);
		}
		if (field.type === 'collection')
			return choicesIn(field.options as INodeProperties[], node, path, shownWith);
		if (field.type === 'fixedCollection') {
			const groups = field.options as Array<{ name: string; values: INodeProperties[] }>;
			return groups.flatMap(({ name, values }) =>
				choicesIn(values, node, [...path, name, '0'], shownWith),
			);
		}
		if (!['options', 'multiOptions', 'boolean'].includes(field.type)) return [];
		const isForTools = (show as IDataObject)['@tool'] !== undefined;
		return [{ node, label: field.displayName, path, type: field.type, isForTools, shownWith }];
	});
}

/** Sets a value in nested parameters; a step that is a number is a row of a table. */
function put(parameters: object, [name, ...rest]: readonly string[], value: unknown): void {
	const at = parameters as Record<string, unknown>;
	if (rest.length === 0) {
		const isList = ['alsoReturn', 'download', 'feed'].includes(name);
		at[name] = isList && typeof value === 'string' && value[0] !== '=' ? [value] : value;
		return;
	}
	at[name] ??= rest[0] === '0' ? [] : {};
	put(at[name] as object, rest, value);
}

/** Returns the parameters of a node whose choice is an expression. */
function parametersWith({ path, shownWith, node }: Choice, expression: string): INodeParameters {
	const parameters = structuredClone(shownWith) as INodeParameters;
	if (node === 'audioEditing') put(parameters, ['recordingFrom'], 'url');
	const takesTemplate = node === 'account' || node === 'editFinishedTrigger';
	if (takesTemplate) parameters.templateId = { __rl: true, mode: 'id', value: '3' };
	put(parameters, path, expression);
	return parameters;
}

const nameOf = ({ node, path }: Choice) => `${node}: ${path.join('.')}`;
const REFUSED = /' (is empty|has no option .*|must be true or false, not .*) \[item 0\]$/;
const ITEMS = [{ json: { fileUrl: 'https://files.example.com/a.wav', editId: 'e' } }];

it('the forms have lists and switches in every place', () => {
	const paths = ALL_CHOICES.map(nameOf);
	expect(paths).toContain('audioEditing: costAndSafety.ifUncertain');
	expect(paths).toContain('createEdit: configure');
	expect(paths).toContain('getResult: files.writeTags.existing');
	expect(paths).toContain('getResult: transcriptAndNotes.speakers.speaker.0.role');
	expect(paths).toContain('getResult: feedItem.episodeType');
	expect(paths).toContain('editFinishedTrigger: outcomes');
	expect(TOOL_CHOICES.map(nameOf)).toContain('waitForEdit: output');
	expect(paths.length).toBeGreaterThan(100);
});

describe.each(Object.entries(NO_CHOICE))('an expression that returns %s', (what, expression) => {
	it.each(ALL_CHOICES.map((choice) => [nameOf(choice), choice] as const))(
		'is refused before anything is sent: %s',
		async (_name, choice) => {
			// 'Not in the Feed' is the empty text.
			if (choice.label === 'Role in Feed' && what === 'an empty text') return;
			const parameters = parametersWith(choice, expression);
			let message: string | undefined;
			if (choice.node === 'editFinishedTrigger') {
				const { poll } = polledNode(service, parameters);
				message = await poll('trigger').then(
					() => 'polled',
					(error: Error) => `${error.message} [item 0]`,
				);
			} else {
				const { error } = await runOne(service, choice.node, parameters, ITEMS);
				message = error?.message;
			}
			expect(message).toMatch(REFUSED);
			expect(message).toContain(`'${choice.label}' `);
			expect(service.seen).toEqual([]);
		},
	);

	it.each(TOOL_CHOICES.map((choice) => [nameOf(choice), choice] as const))(
		'is refused in a tool before anything is sent: %s',
		async (_name, choice) => {
			const parameters = {
				...parametersWith(choice, expression),
				editId: 'e',
				fileUrls: ITEMS[0].json.fileUrl,
			};
			const [answer] = await callAsTool(service, { nodeName: choice.node, parameters });
			expect(answer).toContain(`'${choice.label}' `);
			expect(service.seen).toEqual([]);
		},
	);
});

describe('with On Error = Continue', () => {
	const settings = { onError: 'continueErrorOutput' } as const;
	const items = ['a', 'b', 'c'].map((name, index) => ({
		json: { fileUrl: `https://files.example.com/${name}.wav`, editId: name, index },
	}));
	const failed = async (type: string, parameters: INodeParameters) => {
		const { run } = await runOne(service, type, parameters, items, { settings });
		return itemsOf(run, type, 1).map(({ json }) => json.index);
	};
	it('a choice that cannot be used fails its item alone', async () => {
		const options = { export_format: '={{ $json.index > 0 ? "wav" : undefined }}' };
		expect(await failed('createEdit', { preset: 'none', ...options })).toEqual([0]);
		expect(service.seen.map(({ body }) => body).join()).not.toContain('a.wav');
	});

	it('a choice that the first item makes for all fails all of them', async () => {
		const options = { whenStopped: '={{ $json.index > 0 ? "leave" : undefined }}' };
		expect(await failed('waitForEdit', options)).toEqual([0, 1, 2]);
		expect(service.seen).toEqual([]);
	});

	it('a choice of another item does not count if the first item makes it for all', async () => {
		const options = { whenStopped: '={{ $json.index > 0 ? undefined : "leave" }}' };
		expect(await failed('waitForEdit', options)).toEqual([]);
	});
});

const field = (more: Partial<INodeProperties>): INodeProperties => ({
	displayName: 'Way',
	name: 'way',
	type: 'options',
	default: 'a',
	options: [
		{ name: 'A', value: 'a' },
		{ name: 'Off', value: 'false' },
	],
	...more,
});
/** What a form reads in which each value is that of an expression. */
const read = (fields: INodeProperties[], values: Record<string, unknown>, isTool = false) => {
	const getNodeParameter = (path: string, _itemIndex: number, otherwise: unknown) =>
		path in values ? values[path] : otherwise;
	const context = { getNode: () => NODE, getNodeParameter };
	return readForm(context as Parameters<typeof readForm>[0], fields, undefined, isTool, 'both');
};
const refusal = (...given: Parameters<typeof read>) => {
	try {
		read(...given);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
};

describe('a choice', () => {
	it('that nobody added is not refused', () => {
		expect(refusal([field({})], {})).toBeUndefined();
	});

	it('that the form hides is not refused', () => {
		const hidden = [
			field({ displayOptions: { show: { on: [true] } } }),
			field({ displayOptions: { hide: { '/options.kind': ['noise'] } } }),
			field({ displayOptions: { show: { '@tool': [true] } } }),
		];
		const values = { way: undefined, on: false, 'options.kind': 'noise' };
		for (const one of hidden) expect(refusal([one], values)).toBeUndefined();
		expect(refusal([hidden[0]], { ...values, on: true })).toBe("'Way' is empty");
		expect(refusal([hidden[1]], { way: null })).toBe("'Way' is empty");
		expect(refusal([hidden[2]], values, true)).toBe("'Way' is empty");
	});

	it.each([
		['options', ['a', 'false', false], [true, 'A', 'a ', ['a'], 0]],
		[
			'multiOptions',
			['a', ['a'], [], 'a, false', ['false', false]],
			['b', ['a', 'b'], ['a', null], {}],
		],
		[
			'boolean',
			[true, false, 'true', 'False', 'TRUE', ' FALSE ', 1, 0, '1', '0'],
			['yes', 'on', '', 2, -1, NaN, [], [true], {}, null, undefined],
		],
	] as const)('of the type %s takes %j, and not %j', (type, taken, refused) => {
		for (const way of taken) expect(refusal([field({ type })], { way })).toBeUndefined();
		const { fields } = read([field({ type })], { way: taken.at(-1) });
		expect(fields).toEqual({
			way: { options: 'false', multiOptions: ['false', 'false'], boolean: false }[type],
		});
		for (const way of refused) expect(refusal([field({ type })], { way })).toMatch(/^'Way' /);
	});
});
