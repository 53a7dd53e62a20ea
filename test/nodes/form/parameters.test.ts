import {
	type IBinaryKeyData,
	type IDataObject,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import { configurationRefusal, parseConfigurationId } from '../../../nodes/core/form/templateField';
import { fieldError, isFieldError } from '../../../nodes/core/form/fieldError';
import {
	filesOf,
	passedJson,
	readAmount,
	readEditId,
	readJson,
	readOutputField,
	transfersAtOnce,
} from '../../../nodes/core/form/parameters';
import { sourceNamesOf } from '../../../nodes/core/files/sourceNames';
import { readText } from '../../../nodes/core/texts';
import { NODE, formOf, runOf, withFields } from '../../../testkit/n8n/nodeContext';

function thrownBy(work: () => unknown): NodeOperationError {
	try {
		work();
	} catch (error) {
		expect(error).toBeInstanceOf(NodeOperationError);
		return error as NodeOperationError;
	}
	throw new Error('Nothing was thrown');
}

it('the error of a field names the item and says that nothing was sent', () => {
	const error = fieldError(runOf({}), 3, "'A Field' is empty", 'Fill it in.');
	expect(error.message).toBe("'A Field' is empty [item 3]");
	expect(error.description).toBe('Nothing was sent. Fill it in.');
	expect(error.context.itemIndex).toBe(3);
});

describe('an amount', () => {
	const read = (value: unknown) => readAmount(runOf({}), 2, 'Seconds', value);

	it.each([
		[0, 0],
		[1.5, 1.5],
		['12', 12],
		[' 7 ', 7],
	])('%j is %d', (value, amount) => {
		expect(read(value)).toBe(amount);
	});

	it.each([
		[-1, '-1'],
		['30 s', '"30 s"'],
		['', '""'],
		['  ', '"  "'],
		[null, 'null'],
		[undefined, 'nothing'],
		[true, 'true'],
		[[5], '[5]'],
		[NaN, 'null'],
		[Infinity, 'null'],
		['x'.repeat(200), `"${'x'.repeat(99)}`],
	])('%j is not an amount', (value, shown) => {
		const error = thrownBy(() => read(value));
		expect(error.message).toBe(`'Seconds' must be a number of 0 or more, not ${shown} [item 2]`);
		expect(error.description).toBe('Nothing was sent. Enter a number without a unit.');
	});
});

describe('transfers at once', () => {
	const read = (options: Record<string, unknown>) => transfersAtOnce(runOf({}), formOf(options));

	it.each([
		[0, 1],
		[1, 1],
		[3.9, 3],
		['4', 4],
		[10, 10],
		[50, 10],
	])('%j means %d', (value, count) => {
		expect(read({ transfersAtOnce: value })).toBe(count);
	});

	it('default to two and must be a number', () => {
		expect(read({})).toBe(2);
		const error = thrownBy(() => read({ transfersAtOnce: 'many' }));
		expect(error.message).toContain("'Transfers at Once' must be a number");
	});
});

it.each([
	['a', 'a'],
	[5, '5'],
	[null, ''],
	[undefined, ''],
	[true, ''],
	[{ a: 1 }, ''],
])('%j reads as the string %j', (value, text) => {
	expect(readText(value)).toBe(text);
});

describe('the field for a file', () => {
	const read = ({ binaryPropertyName }: { binaryPropertyName?: string }) =>
		readOutputField(runOf({}), 1, binaryPropertyName);

	it('is `data` by default', () => {
		expect(read({})).toBe('data');
		expect(read({ binaryPropertyName: ' audio ' })).toBe('audio');
	});

	it.each(['', '   ', '__proto__', 'constructor', 'toString'])(
		'is not %j',
		(binaryPropertyName) => {
			const error = thrownBy(() => read({ binaryPropertyName }));
			expect(error.message).toBe(
				`'Put Output File in Field' is not a field name: ${JSON.stringify(binaryPropertyName.trim())} [item 1]`,
			);
			expect(error.description).toBe("Nothing was sent. Enter a name such as 'data'.");
		},
	);
});

describe('an edit ID', () => {
	const read = (fields: Record<string, unknown>, json: IDataObject = {}) => {
		const run = runOf(withFields(fields), [{ json: { editId: 'first' } }, { json }]);
		return readEditId(run, { itemIndex: 1, fields, options: {} });
	};

	it('is read without spaces around it, and may be a number', () => {
		expect(read({ editId: ' abc ' })).toBe('abc');
		expect(read({ editId: 12 })).toBe('12');
	});

	it('is taken from the input item if the field is empty', () => {
		expect(read({ editId: '' }, { editId: 'inherited' })).toBe('inherited');
		expect(read({ editId: 'given' }, { editId: 'inherited' })).toBe('given');
	});

	it("is not the input item's if an expression has no value", () => {
		const fields = withFields({ editId: '={{ $json.id }}' });
		const items = [{ json: { editId: 'inherited' } }];
		const run = runOf(fields, items);
		expect(thrownBy(() => readEditId(run, formOf({}, { editId: '' }))).message).toContain(
			'is empty',
		);
	});

	it.each([[{}], [{ editId: '' }]])('that is missing is refused with advice: %j', (fields) => {
		const error = thrownBy(() => read(fields));
		expect(error.message).toBe("'Edit ID' is empty [item 1]");
		expect(error.description).toMatch(
			/^Nothing was sent\. Connect Audio Editing Create Edit.*enter an ID/,
		);
	});
});

describe("a template's number", () => {
	it.each([
		[12, 12],
		[' 7 ', 7],
		['0', 0],
		['9007199254740991', Number.MAX_SAFE_INTEGER],
		['9007199254740993', undefined],
		['1.5', undefined],
		['1.0', undefined],
		['1e3', undefined],
		['-1', undefined],
		['a1', undefined],
		['1a', undefined],
		['', undefined],
		[null, undefined],
	])('%j reads as %s', (value, id) => {
		expect(parseConfigurationId(value)).toBe(id);
	});

	it('is refused with the text of the field if it is not a number', () => {
		const advice = 'Choose one from the list, or enter its number.';
		expect(configurationRefusal(' ')).toEqual({
			message: "'Template' is empty",
			advice,
		});
		expect(configurationRefusal(' x ')).toEqual({
			message: "'Template' is not a whole number: 'x'",
			advice,
		});
	});
});

describe('the files of an output', () => {
	const file = (fileName: string) => ({ mimeType: 'audio/wav', data: '', fileName });
	const [talk, cover, made] = ['talk', 'cover', 'made'].map(file);
	const items: INodeExecutionData[] = [
		{ json: {}, binary: { data: talk, cover } },
		{ json: {}, binary: { data: cover } },
		{ json: {} },
	];
	const filesWith = (keptOf: number[], own?: IBinaryKeyData) =>
		filesOf(runOf({}, items), keptOf, own);

	it('are those of the node, and of the input if the form keeps them', () => {
		expect(filesWith([])).toEqual({});
		expect(filesWith([], { data: made })).toEqual({ binary: { data: made } });
		expect(filesWith([0])).toEqual({ binary: { data: talk, cover } });
		expect(filesWith([2])).toEqual({});
	});

	it('move to another field if their own is taken, and are there once', () => {
		const binary = { data: made, data_input: talk, cover };
		expect(filesWith([0], { data: made })).toEqual({ binary });
		expect(filesWith([0, 1], { data: made })).toEqual({ binary });
		expect(filesWith([0], { data: talk })).toEqual({ binary: { data: talk, cover } });
		const taken = { data: made, data_input: made, data_input_2: made };
		expect(filesWith([1], taken)).toEqual({ binary: { ...taken, data_input_3: cover } });
	});
});

it.each([
	[true, { a: 1 }],
	[false, { a: 1, error: 'x' }],
	[undefined, { a: 1, error: 'x' }],
])('with Retry On Fail %s, an item of an earlier failure passes on %j', (retryOnFail, passed) => {
	const getNode = () => ({ ...NODE, retryOnFail });
	expect(passedJson(runOf({ getNode }, [{ json: { a: 1, error: 'x' } }]), 0)).toEqual(passed);
});

it.each([
	[{ sourceFileName: 'a.wav' }, { sourceFileName: 'a.wav' }],
	[{ sourceFileName: '' }, {}],
	[{ sourceFileName: 5 }, {}],
	[{ sourceFileNames: ['a.wav', 'b, c.wav'] }, { sourceFileNames: ['a.wav', 'b, c.wav'] }],
	[{}, {}],
])('the source file of an item with %j', (json, known) => {
	expect(sourceNamesOf(runOf({}, [{ json }]), 0)).toEqual(known);
});

it('JSON is read if it is text, and its error quotes none of it', () => {
	const run = runOf({});
	expect(readJson(run, 0, 'Options (JSON)', '{"a": 1}')).toEqual({ a: 1 });
	expect(readJson(run, 0, 'Options (JSON)', { a: 1 })).toEqual({ a: 1 });
	const error = thrownBy(() => readJson(run, 2, 'Options (JSON)', '{"key": secret-1}'));
	expect(error.message).toMatch(/^'Options \(JSON\)' is not valid JSON \(.+\) \[item 2\]$/);
	expect(error.message).not.toContain('secret');
	expect(error.description).toBe(
		'Nothing was sent. Correct the JSON. Keys and texts need double quotes.',
	);
	expect([error, new Error('no'), 'no'].map(isFieldError)).toEqual([true, false, false]);
});

it('what to do about an edit ID differs for a workflow, a model and a tool', () => {
	const adviceWith = (type: string, editId: string) => {
		const getNode = () => ({ ...NODE, type, parameters: { editId } });
		const run = runOf({ ...withFields({ editId: '' }), getNode });
		return thrownBy(() => readEditId(run, formOf({}, { editId: '' }))).description;
	};
	expect(adviceWith('x.delete', '')).toContain(
		'Connect Audio Editing Create Edit before this node',
	);
	expect(adviceWith('x.deleteTool', "={{ $fromAI('editId') }}")).toBe(
		'Nothing was sent. Pass the editId that Audio Editing Create Edit returned.',
	);
	expect(adviceWith('x.deleteTool', '')).toContain("press ✨ next to 'Edit ID'");
});
