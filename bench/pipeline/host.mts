import { randomUUID } from 'node:crypto';

import {
	type IBinaryData,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	NodeHelpers,
} from 'n8n-workflow';

import { loadNodes, PACKAGE } from '../../demo/builtPackage.mts';
import { nodeContext, withFields } from '../../testkit/n8n/nodeContext.ts';
import type { Line } from './line.mts';
import {
	ORIGIN,
	OTHER,
	type ServiceAnswer,
	FileOnTheWay,
	type ServiceRequest,
} from './virtualService.mts';

/** A run of one of our nodes. */
export interface NodeRun {
	/** The name of its type, such as `audioEditing`. */
	readonly type: string;
	readonly parameters?: INodeParameters;
	readonly settings?: Pick<INode, 'onError'>;
	readonly items: readonly INodeExecutionData[];
	/** What n8n keeps of the node in the execution. */
	readonly memory?: IDataObject;
	readonly runIndex?: number;
	readonly executionId?: string;
	/** Whether a person began the execution as a retry of another one. */
	readonly isRetry?: boolean;
	/** Aborted by Stop. */
	readonly stop?: AbortSignal;
}

/** Where nodes run: what n8n offers them there. */
export interface Host {
	/** Sends a request; rejects as n8n's helper does when the network fails. */
	readonly send: (request: ServiceRequest, signal?: AbortSignal) => Promise<ServiceAnswer>;
	readonly downlink: Line;
	/** Receives what the node writes to n8n's log and shows as hints. */
	readonly onText?: (text: string) => void;
	/** Called with the URL of a file of a result when all of it is in n8n's store. */
	readonly onStored?: (url: string) => void;
	/** More helpers of n8n, such as those of its store of processed data. */
	readonly helpers?: Partial<IExecuteFunctions['helpers']>;
	/** The nodes as this process of n8n has loaded them; all processes share them if missing. */
	readonly nodes?: Record<string, INodeType>;
	/** Counts the rate limits of one process of n8n. */
	readonly apiKey: string;
}

const NODES = loadNodes();

/** A key whose rate limits no other run counts. */
export function newKey(): string {
	return randomUUID();
}

/** An item with a stored file. */
export function fileItem(name: string, sizeBytes: number): INodeExecutionData {
	return { json: {}, binary: { data: stored(name, sizeBytes) } };
}

/** An item with two stored files, whose fields a node cannot choose between. */
export function twoFilesItem(name: string, sizeBytes: number): INodeExecutionData {
	const { json, binary } = fileItem(name, sizeBytes);
	return { json, binary: { ...binary, [OTHER]: stored(`${OTHER}-${name}`, sizeBytes) } };
}

function stored(fileName: string, sizeBytes: number): IBinaryData {
	return { data: '', id: `filesystem:${fileName}:${sizeBytes}`, fileName, mimeType: 'audio/wav' };
}

/** An item with a URL, from which the service fetches the recording. */
export function urlItem(name: string): INodeExecutionData {
	return { json: { fileUrl: `${ORIGIN}/public/${name}` } };
}

/** The workflow of the node: n8n remembers nothing of one without an ID. */
export const WORKFLOW = { id: 'bench', active: true };

/** Runs a node as it ships, and returns its outputs. */
export async function runNode(host: Host, run: NodeRun): Promise<INodeExecutionData[][]> {
	const node = (host.nodes ?? NODES)[`${PACKAGE}.${run.type}`];
	const outputs = await node.execute?.call(contextAt(host, run, node));
	return outputs as INodeExecutionData[][];
}

function contextAt(host: Host, run: NodeRun, { description }: INodeType): IExecuteFunctions {
	const { type, settings = {}, items, memory = {}, stop, runIndex = 0 } = run;
	const { executionId = '7', isRetry = false } = run;
	const node: INode = {
		id: 'node-1',
		name: type,
		type: `${PACKAGE}.${type}`,
		position: [0, 0],
		parameters: {},
		typeVersion: Number(description.version),
		...settings,
	};
	const { properties } = description;
	const given = run.parameters ?? {};
	node.parameters =
		NodeHelpers.getNodeParameters(properties, given, true, false, node, description) ?? {};
	const credential = { baseUrl: ORIGIN, apiKey: host.apiKey };
	const say = (text: string) => host.onText?.(text);
	const more: Partial<IExecuteFunctions> = {
		...withFields(node.parameters),
		getNode: () => node,
		getWorkflow: () => WORKFLOW,
		getExecutionId: () => executionId,
		getMode: () => (isRetry ? 'retry' : 'trigger'),
		getContext: () => memory,
		evaluateExpression: () => String(runIndex),
		continueOnFail: () => (settings.onError ?? 'stopWorkflow') !== 'stopWorkflow',
		getExecutionCancelSignal: () => stop,
		getCredentials: <T extends object>() => Promise.resolve(credential as object as T),
		logger: { debug: say, info: say, warn: say, error: say },
		addExecutionHints: (...hints) => {
			for (const { message } of hints) say(message);
		},
		helpers: { ...helpersAt(host, items), ...host.helpers } as IExecuteFunctions['helpers'],
	};
	return nodeContext(more, [...items]);
}

function helpersAt(
	host: Host,
	items: readonly INodeExecutionData[],
): Partial<IExecuteFunctions['helpers']> {
	const sizeOf = (id: string) => Number(id.split(':').at(-1));
	const binaryOf = (itemIndex: number, field: string | IBinaryData): IBinaryData =>
		typeof field === 'string' ? (items[itemIndex].binary ?? {})[field] : field;
	return {
		httpRequestWithAuthentication: async function (_type, options) {
			const { getExecutionCancelSignal } = this as Partial<IExecuteFunctions>;
			return await host.send(requestOf(options), getExecutionCancelSignal?.());
		},
		httpRequest: async (options) => {
			return await host.send(requestOf(options), options.abortSignal as AbortSignal | undefined);
		},
		assertBinaryData: binaryOf,
		getBinaryMetadata: (id) => Promise.resolve({ fileSize: sizeOf(id) }),
		getBinaryStream: () => Promise.resolve(new FileOnTheWay(0)),
		prepareBinaryData: async (content, fileName, mimeType = '') => {
			const { sizeBytes, url } = content instanceof FileOnTheWay ? content : new FileOnTheWay(0);
			await host.downlink.pass(sizeBytes);
			if (url !== '') host.onStored?.(url);
			// What n8n stores shows here which edit's file it is.
			const id = `filesystem:${nameOf(url)}:${sizeBytes}`;
			return { data: '', id, bytes: sizeBytes, fileName, mimeType };
		},
	};
}

/** The last part of a URL's path, without its extension. */
function nameOf(url: string): string {
	return url === '' ? '' : new URL(url).pathname.replace(/.*\/|\..*/g, '');
}

function requestOf(options: IHttpRequestOptions): ServiceRequest {
	const { method = 'GET', url, qs, body, headers } = options;
	return {
		method,
		url,
		...(typeof qs?.filename === 'string' && { filename: qs.filename }),
		...(typeof body === 'string' && { body }),
		sizeBytes: Number(headers?.['Content-Length'] ?? 0),
	};
}
