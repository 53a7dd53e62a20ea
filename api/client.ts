import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';

import {
	type Account,
	type ConfigurationDetail,
	type ConfigurationEntry,
	type CompletedTask,
	type Edit,
	type EditCreation,
	type EditRequest,
	accountSchema,
	completedTasksSchema,
	configurationDetailSchema,
	configurationsSchema,
	editCreationSchema,
	editRequestSchema,
	editSchema,
	isWebUrl,
	serviceStatusSchema,
	uploadSchema,
} from './contract';
import { pathId } from './identifiers';
import { type Outcome, failed, success } from './outcome';
import { type RequestClass, withRetries } from './retry';
import { isWebPage } from './text';
import { type Time, systemTime } from './time';
import type { Download, FileBody, ServiceRequest, Transport } from './transport';

/** One typed function for each endpoint of the interface, spec "Endpoints". */
export interface Client {
	/** 1. POST /v2/upload: asks for a signed URL for a file of this name (with extension). */
	requestUpload(fileName: string): Promise<Outcome<{ signedUrl: string }>>;
	/** 2. PUT <signed_url>: streams the file. Never repeated: ask for a new signed URL instead. */
	putFile(signedUrl: string, file: FileBody): Promise<Outcome<undefined>>;
	/** 3. POST /v2/edits: creates an edit, which is paid for. */
	createEdit(request: EditRequest): Promise<Outcome<EditCreation>>;
	/** 4. GET /v2/edits/{edit_id}. An unknown id reads PENDING. */
	getEdit(editId: unknown): Promise<Outcome<Edit>>;
	/** 4., asked once: for who polls and keeps the service's limits itself. */
	getEditOnce(editId: unknown): Promise<Outcome<Edit>>;
	/** 5. DELETE /v2/edits/{edit_id}: deletes the edit, its source and its results for good. */
	deleteEdit(editId: unknown): Promise<Outcome<unknown>>;
	/** 6. POST /v2/noise: creates a noise-reduction edit, which is paid for. */
	createNoiseEdit(request: EditRequest): Promise<Outcome<EditCreation>>;
	/** 7. GET /v1/account: checks the key and reads the credit. */
	getAccount(): Promise<Outcome<Account>>;
	/** 8. GET /v2/configurations. */
	listConfigurations(): Promise<Outcome<ConfigurationEntry[]>>;
	/** 9. GET /v2/configuration/{config_id}. */
	getConfiguration(configurationId: unknown): Promise<Outcome<ConfigurationDetail>>;
	/** 10. GET /v2/completed_tasks/{config_id}: the last 7 days, newest first. */
	listCompletedTasks(configurationId: unknown): Promise<Outcome<CompletedTask[]>>;
	/** 11. GET /: the service's page, as HTML text. */
	getHomePage(): Promise<Outcome<string>>;
	/** 12. GET /ping. */
	ping(): Promise<Outcome<unknown>>;
	/** 13. GET /health. */
	getHealth(): Promise<Outcome<unknown>>;
	/** Opens a download link of a result; the link carries its own permission, not the key. */
	openDownload(downloadUrl: string): Promise<Outcome<Download>>;
}

/** Builds the client on an open door. */
export function createClient(transport: Transport, time: Time = systemTime): Client {
	const ask = async <Schema extends z.ZodTypeAny>(
		requestClass: RequestClass,
		schema: Schema,
		request: ServiceRequest,
	): Promise<Outcome<z.output<Schema>>> => {
		const send = async () => await transport.call(request);
		const answer = await withRetries(requestClass, send, time, transport.signal);
		return answer.ok ? readBody(schema, request, answer.value) : answer;
	};
	const askAbout = async <Schema extends z.ZodTypeAny>(
		requestClass: RequestClass,
		schema: Schema,
		method: ServiceRequest['method'],
		path: string,
		id: unknown,
	): Promise<Outcome<z.output<Schema>>> => {
		const checked = pathId(id);
		if (!checked.ok)
			return invalid(`${method} ${path}<id>`, `The id cannot be used: ${checked.reason}`);
		return await ask(requestClass, schema, { method, path: path + checked.segment });
	};
	const submit = async (path: string, request: EditRequest): Promise<Outcome<EditCreation>> => {
		const checked = editRequestSchema.safeParse(request);
		if (!checked.success) return invalid(`POST ${path}`, issueText(checked.error));
		const body = checked.data as IDataObject;
		return await ask('submit', editCreationSchema, { method: 'POST', path, body });
	};
	const get = (path: string): ServiceRequest => ({ method: 'GET', path });

	return {
		requestUpload: async (fileName) =>
			await ask('repeat', uploadSchema, {
				method: 'POST',
				path: '/v2/upload',
				query: { filename: fileName },
			}),
		putFile: async (signedUrl, file) =>
			isWebUrl(signedUrl)
				? await transport.put(signedUrl, file)
				: invalid('PUT of the file', 'The signed URL is not an http or https URL'),
		createEdit: async (request) => await submit('/v2/edits', request),
		getEdit: async (editId) => await askAbout('read', editSchema, 'GET', '/v2/edits/', editId),
		getEditOnce: async (editId) => await askAbout('once', editSchema, 'GET', '/v2/edits/', editId),
		deleteEdit: async (editId) =>
			await askAbout('repeat', serviceStatusSchema, 'DELETE', '/v2/edits/', editId),
		createNoiseEdit: async (request) => await submit('/v2/noise', request),
		getAccount: async () => await ask('read', accountSchema, get('/v1/account')),
		listConfigurations: async () =>
			await ask(
				'read',
				configurationsSchema.transform((body) => body.configurations),
				get('/v2/configurations'),
			),
		getConfiguration: async (id) =>
			await askAbout('read', configurationDetailSchema, 'GET', '/v2/configuration/', id),
		listCompletedTasks: async (id) =>
			await askAbout(
				'read',
				completedTasksSchema.transform((body) => body.tasks),
				'GET',
				'/v2/completed_tasks/',
				id,
			),
		getHomePage: async () => await ask('read', serviceStatusSchema.transform(String), get('/')),
		ping: async () => await ask('read', serviceStatusSchema, get('/ping')),
		getHealth: async () => await ask('read', serviceStatusSchema, get('/health')),
		openDownload: async (downloadUrl) => {
			if (!isWebUrl(downloadUrl)) {
				return invalid('GET of the file', 'The download link is not an http or https URL');
			}
			const open = async () => await transport.open(downloadUrl);
			return await withRetries('read', open, time, transport.signal);
		},
	};
}

function invalid<T>(request: string, said: string): Outcome<T> {
	return failed({ kind: 'invalid', request, said });
}

function readBody<Schema extends z.ZodTypeAny>(
	schema: Schema,
	{ method, path }: ServiceRequest,
	body: unknown,
): Outcome<z.output<Schema>> {
	const parsed = schema.safeParse(body);
	if (parsed.success) return success(parsed.data as z.output<Schema>);
	return failed({
		kind: 'unreadable',
		request: `${method} ${path}`,
		said: issueText(parsed.error),
		isWebPage: typeof body === 'string' && isWebPage(body),
	});
}

/** Zod's findings as `field: message`, the request's wrapper left out. */
function issueText(error: z.ZodError): string {
	return error.issues
		.map(({ path, message }) => {
			const field = (path[0] === 'input' ? path.slice(1) : path).join('.');
			return field ? `'${field}': ${message}` : message;
		})
		.join('; ');
}
