/* What the cases of a table have in common: a recording of which every failure names the file first. */
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { storeFile } from '../../../testkit/n8n/n8nEngine';
import type { NodeSpec } from '../../../testkit/n8n/workflows';
import type { Answer, SeenRequest } from '../../../testkit/service/fake/scriptedService';

export const NAME = 'rec-150.mp3';
export const SKIP = { skipEdited: 'value', skipValue: NAME };

export const isPoll = ({ method, path }: SeenRequest) =>
	method === 'GET' && path.startsWith('/v2/edits/');
export const isSubmission = ({ method, path }: SeenRequest) =>
	method === 'POST' && /^\/v2\/(edits|noise)$/.test(path);

export type Fault = (request: SeenRequest, number: number) => Answer | undefined;

export const answering = (isMeant: (request: SeenRequest) => boolean, answer: Answer): Fault => {
	return (request) => (isMeant(request) ? answer : undefined);
};
/** Answers the polls with the ID of the edit in them. */
export const naming = (answerFor: (editId: string) => Answer): Fault => {
	return (request) =>
		isPoll(request) ? answerFor(request.path.split('/').at(-1) ?? '') : undefined;
};
export const edit = (status: string, more: object = {}): Fault =>
	answering(isPoll, { body: { task_id: 'edit-9', status, ...more } });
export const submission = (answer: Answer): Fault => answering(isSubmission, answer);

export const FILE = { mimeType: 'audio/mpeg', fileName: NAME };
export const SHORT = { maximumWaitMinutes: 0, firstPollDelaySeconds: 0 };

/** The nodes, and the item with which each fails. */
export const ITEMS: Record<string, () => Promise<INodeExecutionData>> = {
	audioEditing: fileItem,
	upload: fileItem,
	createEdit: urlItem,
	waitForEdit: editItem,
	getResult: editItem,
	delete: editItem,
};

export async function fileItem({
	content = 'RIFF',
	mimeType = FILE.mimeType,
} = {}): Promise<INodeExecutionData> {
	const data = await storeFile(Buffer.from(content), FILE.fileName, mimeType);
	return { json: {}, binary: { data } };
}

export async function editItem(): Promise<INodeExecutionData> {
	return { json: { editId: 'edit-9', sourceFileName: NAME } };
}

export interface Case {
	readonly nodes: readonly string[];
	readonly fault?: Fault;
	readonly parameters?: INodeParameters;
	/** What the line says after the name. */
	readonly reason: RegExp;
	/** Another item than that of the node. */
	readonly item?: () => Promise<INodeExecutionData>;
	/** What the service does in an execution before. */
	readonly before?: Fault;
	/** Whether n8n's memory cannot be written. */
	readonly isForgetful?: boolean;
	readonly settings?: NodeSpec['settings'];
	/** Whether it is about all items, and names the first one. */
	readonly isOfAll?: boolean;
	/** Whether it always ends the node. */
	readonly alwaysEnds?: boolean;
}

export const SUBMITS = ['audioEditing', 'createEdit'];
export const WAITS = ['audioEditing', 'waitForEdit'];
export const READS = ['waitForEdit', 'getResult', 'audioEditing'];
export const notFound = answering(({ path }) => path.startsWith('/files/'), { status: 404 });
export const isUpload = ({ path }: SeenRequest) => path.startsWith('/v2/upload');
export const isStored = ({ method }: SeenRequest) => method === 'PUT';

/** An item with a URL of the recording. */
export async function urlItem(): Promise<INodeExecutionData> {
	return { json: { fileUrl: `https://files.example.com/x/${NAME}?signature=s` } };
}

/** An item with a file that is no longer in n8n's store. */
export async function lostFileItem(): Promise<INodeExecutionData> {
	const { binary = {}, ...item } = await fileItem();
	const { data } = binary;
	return { ...item, binary: { data: { ...data, id: `${data.id}-lost` } } };
}

/** The store takes uploads, and has nothing when the edited file is fetched. */
export function notFoundOnGet(): Fault {
	return (request, number) => (request.method === 'GET' ? notFound(request, number) : undefined);
}
