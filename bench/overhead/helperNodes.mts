import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type INodeExecutionData,
	type INodeType,
	NodeConnectionTypes,
} from 'n8n-workflow';

const EXACT = { disableFollowRedirect: true } as const;

/** What Create Edit sends with its default settings. */
const CONFIG = { remove_noise: true, normalize: true };

async function call(
	context: IExecuteFunctions,
	method: 'GET' | 'POST' | 'DELETE',
	path: string,
	options: Partial<IHttpRequestOptions> = {},
): Promise<IDataObject> {
	const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('audioEditingApi');
	return (await context.helpers.httpRequestWithAuthentication.call(context, 'audioEditingApi', {
		...EXACT,
		method,
		url: baseUrl + path,
		headers: { Accept: 'application/json' },
		json: true,
		...options,
	})) as IDataObject;
}

function textOf(context: IExecuteFunctions, itemIndex: number, key: string): string {
	return context.getInputData()[itemIndex].json[key] as string;
}

async function readEdit(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const editId = textOf(context, itemIndex, 'editId');
	return await call(context, 'GET', `/v2/edits/${encodeURIComponent(editId)}`);
}

/** What a node does with each of its items, one after another. */
type Handle = (context: IExecuteFunctions, itemIndex: number) => Promise<INodeExecutionData>;

/** The five steps with n8n's helpers alone: no retries, checks or limits. No node can cost less. */
const STEPS: Readonly<Record<string, Handle>> = {
	helperUpload: async (context, itemIndex) => {
		const { id = '', fileName } = context.helpers.assertBinaryData(itemIndex, 'data');
		const { fileSize } = await context.helpers.getBinaryMetadata(id);
		const link = await call(context, 'POST', '/v2/upload', { qs: { filename: fileName } });
		const signedUrl = link.signedUrl as string;
		await context.helpers.httpRequest({
			...EXACT,
			method: 'PUT',
			url: signedUrl,
			body: await context.helpers.getBinaryStream(id),
			headers: { 'Content-Type': 'audio/wav', 'Content-Length': fileSize },
		});
		return { json: { fileUrl: signedUrl.split('?')[0] } };
	},
	helperCreate: async (context, itemIndex) => {
		const files = [textOf(context, itemIndex, 'fileUrl')];
		const body = { input: { files, config: CONFIG, upload_type: 'singletrack' } };
		const { id } = await call(context, 'POST', '/v2/edits', { body });
		return { json: { editId: id } };
	},
	helperWait: async (context, itemIndex) => {
		const { task_id: editId } = await readEdit(context, itemIndex);
		return { json: { editId } };
	},
	helperResult: async (context, itemIndex) => {
		const { task_id: editId, result } = await readEdit(context, itemIndex);
		const { download_url: url, filename } = result as { download_url: string; filename: string };
		const answer = (await context.helpers.httpRequest({
			...EXACT,
			url,
			encoding: 'stream',
			returnFullResponse: true,
		})) as IN8nHttpFullResponse;
		const content = answer.body as Parameters<typeof context.helpers.prepareBinaryData>[0];
		const data = await context.helpers.prepareBinaryData(content, filename, 'audio/wav');
		return { json: { editId }, binary: { data } };
	},
	helperDelete: async (context, itemIndex) => {
		const editId = textOf(context, itemIndex, 'editId');
		await call(context, 'DELETE', `/v2/edits/${encodeURIComponent(editId)}`);
		return { json: { deleted: true } };
	},
};

export const HELPER_NODES: Readonly<Record<string, INodeType>> = Object.fromEntries(
	Object.entries(STEPS).map(([name, handle]) => [name, nodeOf(name, handle)]),
);

function nodeOf(name: string, handle: Handle): INodeType {
	return {
		description: {
			displayName: name,
			name,
			description: 'Compared with our nodes in a bench',
			group: ['transform'],
			version: 1,
			defaults: { name },
			properties: [],
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			credentials: [{ name: 'audioEditingApi', required: true }],
		},
		async execute() {
			const results: INodeExecutionData[] = [];
			for (const itemIndex of this.getInputData().keys()) {
				results.push(await handle(this, itemIndex));
			}
			return [results];
		},
	};
}
