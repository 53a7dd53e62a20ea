import 'reflect-metadata';

import { Logger } from '@n8n/backend-common';
import { configureGlobalAxiosDefaults } from '@n8n/backend-network';
import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	ExecutionLifecycleHooks,
	WorkflowExecute,
} from 'n8n-core';
import {
	type IBinaryData,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IExecuteContextData,
	type INodeExecutionData,
	type INodeType,
	type IPinData,
	type IRun,
	type IRunData,
	type IRunExecutionData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
	createRunExecutionData,
} from 'n8n-workflow';

import { EngineCredentials } from './engineCredentials';
import { fixedItems, workflowOf } from './engineNodeTypes';

/** A line the nodes wrote to n8n's log. */
export interface LogLine {
	level: string;
	message: string;
	/** The metadata logged with the message. */
	meta?: object;
}

/** A workflow as in an export. */
export type WorkflowJson = Pick<IWorkflowBase, 'nodes' | 'connections'> & Partial<IWorkflowBase>;

/** A node to run, what the nodes before it have output, and which of them have changed since. */
interface PartialRun {
	readonly nodeName: string;
	readonly runData: IRunData;
	readonly changed?: string[];
}

/** What to run, and with what. */
export interface RunRequest {
	workflow: WorkflowJson;
	/** Node types by their full name, such as `n8n-nodes-audio-editing.upload`. */
	nodeTypes: Record<string, INodeType>;
	credentialTypes: Record<string, ICredentialType>;
	credentials: Record<string, ICredentialDataDecryptedObject>;
	/** The items that the first node outputs, whatever its type. */
	items?: INodeExecutionData[];
	/** What nodes remember from earlier in the execution. */
	contextData?: IExecuteContextData;
	/** Data of a parked execution to resume, or of a failed one to retry. */
	resumeFrom?: IRunExecutionData;
	/** The pinned items of nodes, by the names of the nodes. */
	pinData?: IPinData;
	/** Runs only what a node needs of the workflow, as n8n's editor does for 'Execute step'. */
	upTo?: PartialRun;
	/** Runs a sub-workflow, for nodes that ask for it. */
	executeWorkflow?: IWorkflowExecuteAdditionalData['executeWorkflow'];
	/** How the execution was started; `trigger` if missing. */
	mode?: WorkflowExecuteMode;
	/** The ID of the workflow; empty for one that is not saved. */
	workflowId?: string;
	executionId?: string;
	/** Receives the function that stops the execution. */
	onStart?: (stop: () => void) => void;
	onLog?: (line: LogLine) => void;
	onNodeStart?: (nodeName: string) => void;
}

const EXECUTION_ID = '7';

/** What n8n provides to every execution about itself. */
export const INSTANCE: Partial<IWorkflowExecuteAdditionalData> = {
	executionId: EXECUTION_ID,
	webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
	formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
	instanceBaseUrl: 'http://127.0.0.1/',
	restApiUrl: 'http://127.0.0.1/rest',
	variables: {},
};

/** Prepares n8n's binary store and HTTP defaults as n8n does when it starts. */
export async function startEngine(
	binaryMode: 'default' | 'filesystem' | 'database' | 's3' = 'filesystem',
) {
	configureGlobalAxiosDefaults();
	Container.get(BinaryDataConfig).mode = binaryMode;
	await Container.get(BinaryDataService).init();
}

/** Puts a file into n8n's binary store, as a node that reads files would. */
export async function storeFile(
	content: Buffer,
	fileName: string,
	mimeType: string,
): Promise<IBinaryData> {
	const location = { type: 'execution' as const, workflowId: 'test', executionId: EXECUTION_ID };
	const binary = { data: '', fileName, mimeType };
	return await Container.get(BinaryDataService).store(location, content, binary);
}

/** Reads a file back from n8n's binary store. */
export async function readFile(binary: IBinaryData): Promise<Buffer> {
	return await Container.get(BinaryDataService).getAsBuffer(binary);
}

/** Runs a workflow through n8n's own engine. */
export async function runWorkflow(request: RunRequest): Promise<IRun> {
	listenToLog(request.onLog);
	const [first] = request.workflow.nodes;
	const { mode = 'trigger', workflowId = 'test', executionId = EXECUTION_ID, pinData } = request;
	const workflow = workflowOf(request.workflow, request.nodeTypes, fixedItems(request.items), {
		id: workflowId,
		settings: { executionOrder: 'v1', ...request.workflow.settings },
	});
	const hooks = new ExecutionLifecycleHooks(mode, executionId, {
		...request.workflow,
		id: 'test',
		name: 'test',
	} as IWorkflowBase);
	// A stopped execution's promise never settles; this hook always runs.
	const finished = new Promise<IRun>((resolve) => {
		hooks.addHandler('workflowExecuteAfter', (run) => resolve(run));
	});
	hooks.addHandler('nodeExecuteBefore', (nodeName) => request.onNodeStart?.(nodeName));
	const start = {
		node: workflow.getNode(first.name)!,
		data: { main: [[{ json: {} }]] },
		source: null,
	};
	const data =
		request.resumeFrom ??
		createRunExecutionData({
			resultData: { pinData },
			executionData: { contextData: request.contextData, nodeExecutionStack: [start] },
		});
	const { executeWorkflow, upTo } = request;
	const engine = new WorkflowExecute(
		{ ...additionalData(request, hooks), executionId, ...(executeWorkflow && { executeWorkflow }) },
		mode,
		data,
	);
	const execution = upTo
		? engine.runPartialWorkflow2(workflow, upTo.runData, pinData, upTo.changed, {
				nodeName: upTo.nodeName,
				mode: 'inclusive',
			})
		: engine.processRunExecutionData(workflow);
	request.onStart?.(() => execution.cancel());
	return await Promise.race([execution, finished]);
}

/** Returns the items that a node sent to one of its outputs in its last run. */
export function itemsOf(run: IRun, nodeName: string, output = 0): INodeExecutionData[] {
	return run.data.resultData.runData[nodeName]?.at(-1)?.data?.main[output] ?? [];
}

/** Returns what n8n provides to every execution beside its data. */
export function additionalData(
	{ credentialTypes, credentials }: Pick<RunRequest, 'credentialTypes' | 'credentials'>,
	hooks = new ExecutionLifecycleHooks('trigger', EXECUTION_ID, {} as IWorkflowBase),
): IWorkflowExecuteAdditionalData {
	const base: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: new EngineCredentials(credentialTypes, credentials),
		hooks,
		...INSTANCE,
		currentNodeExecutionIndex: 0,
		setExecutionStatus: () => {},
	};
	return base as IWorkflowExecuteAdditionalData;
}

function listenToLog(onLog: RunRequest['onLog']): void {
	const logger = Container.get(Logger);
	for (const level of ['error', 'warn', 'info', 'debug'] as const) {
		logger[level] = (message: string, meta?: object) => onLog?.({ level, message, meta });
	}
}
