import { type INodeExecutionData, type INodeParameters, WorkflowExpression } from 'n8n-workflow';

import { useProcessedData } from '../../../testkit/n8n/processedData';
import { itemsOf, storeFile } from '../../../testkit/n8n/n8nEngine';
import { accept, runOne, useService } from '../../../testkit/service/useService';

useProcessedData();
const service = useService();

const EXPRESSION = '={{ $json.on }}';

/** Fields with expressions, by node. */
const FORMS: Readonly<Record<string, INodeParameters>> = {
	audioEditing: {
		preset: '={{ $json.preset }}',
		alsoReturn: '={{ ["transcript", "feed"] }}',
		feed: ['feedItem'],
		feedItem: { title: EXPRESSION, isExplicit: '={{ true }}' },
		files: {
			keepInputFiles: '={{ true }}',
			oneItemPerFile: '={{ true }}',
			writeTags: { title: EXPRESSION, fillFromSummary: '={{ true }}' },
		},
		transcriptAndNotes: { transcription: '={{ true }}', summarize: '={{ true }}' },
		costAndSafety: {
			skipEdited: 'value',
			skipValue: EXPRESSION,
			mostEdits: '={{ 5 }}',
			stopBelowCredit: '={{ 0 }}',
			deleteWhenFetched: '={{ true }}',
		},
		advanced: { maximumWaitMinutes: '={{ 5 }}', whenTimeIsUp: 'secondOutput' },
	},
	createEdit: {
		fileUrls: '={{ $json.fileUrl }}',
		preset: '={{ $json.preset }}',
		files: { keepInputFiles: '={{ true }}' },
		costAndSafety: { skipEdited: 'url', mostEdits: '={{ 5 }}' },
	},
	upload: { files: { keepInputFiles: '={{ true }}' }, advanced: { transfersAtOnce: '={{ 1 }}' } },
	waitForEdit: { editId: '={{ $json.id }}', advanced: { simplify: '={{ false }}' } },
	getResult: { editId: '={{ $json.id }}', files: { keepInputFiles: '={{ true }}' } },
	delete: { editId: '={{ $json.id }}' },
};

/** Two items, the second of which asks for what the service refuses. */
async function itemsFor(): Promise<INodeExecutionData[]> {
	const data = await storeFile(Buffer.alloc(64, 7), 'a.wav', 'audio/wav');
	const json = { on: 'yes', preset: 'enhance', fileUrl: 'https://files.example.com/a.wav' };
	return ['edit-1', 'edit-2'].map((id) => ({ json: { ...json, id, on: id }, binary: { data } }));
}

/** Runs a node of which n8n evaluates nothing after its first request. */
async function runReadOnce(
	type: string,
	parameters: INodeParameters,
	isRefused: boolean,
	items?: INodeExecutionData[],
) {
	service.answer = (request, number) =>
		isRefused && number > 1 ? { status: 400, body: { detail: 'no' } } : accept(request, number);
	const { getParameterValue } = WorkflowExpression.prototype;
	const late: string[] = [];
	const spy = jest
		.spyOn(WorkflowExpression.prototype, 'getParameterValue')
		.mockImplementation(function (this: WorkflowExpression, ...given) {
			const value = JSON.stringify(given[0]);
			// n8n itself asks for the outputs of the node at its end.
			if (service.seen.length > 0 && !value.includes('displayName')) late.push(value);
			return Reflect.apply(getParameterValue, this, given) as ReturnType<typeof getParameterValue>;
		});
	const settings = { onError: 'continueErrorOutput' } as const;
	try {
		const { error } = await runOne(service, type, parameters, items ?? (await itemsFor()), {
			settings,
		});
		expect(error).toBeUndefined();
	} finally {
		spy.mockRestore();
	}
	return late;
}

describe.each(Object.entries(FORMS))('%s', (type, parameters) => {
	it.each([
		['succeeds', false],
		['is refused', true],
	])('reads its form before the first request, which %s', async (_how, isRefused) => {
		expect(await runReadOnce(type, parameters, isRefused)).toEqual([]);
		expect(service.seen.length).toBeGreaterThan(0);
	});
});

it.each(['waitForEdit', 'getResult', 'delete'])(
	'%s evaluates nothing for the name of a recording that has none',
	async (type) => {
		const nameless = [{ json: { id: 'edit-1' } }, { json: { id: 'edit-2' } }];
		expect(await runReadOnce(type, FORMS[type], true, nameless)).toEqual([]);
		expect(service.seen.length).toBeGreaterThan(0);
	},
);

it('a field in a group that cannot be read fails its item alone', async () => {
	const title = '={{ $json.id === "edit-1" ? $("Nobody").item.json.title : "Bread" }}';
	const parameters = { editId: '={{ $json.id }}', files: { writeTags: { title } } };
	const settings = { onError: 'continueErrorOutput' } as const;
	const { run, out } = await runOne(service, 'getResult', parameters, await itemsFor(), {
		settings,
	});
	expect(out.map(({ json }) => json.editId)).toEqual(['edit-2']);
	expect(itemsOf(run, 'getResult', 1).map(({ json }) => json.editId)).toEqual(['edit-1']);
});
