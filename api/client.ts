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
	type Upload,
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
import { type Result, type RequestFailure, failed, mayHaveBeenTaken } from './failure';
import { readBody, refuseCut, issueText } from './responseBody';
import { type Pace, type RequestClass, Tries } from './retry';
import { type Time, systemTime } from './time';
import type { FileBody } from './fileBody';
import type { Download, ServiceRequest, Transport } from './transport';

/** The door out, as far as a client uses it. */
export type ClientTransport = Pick<Transport, 'call' | 'put' | 'open' | 'hiderFor' | 'signal'>;

/** What a client needs beside the open door. */
export interface ClientTools {
	readonly time?: Time;
	/** Holds back POST /v2/upload, /v2/edits and /v2/noise, which share one limit. */
	readonly submissionPace?: Pace;
	/** Holds back GET /v2/edits/{id}. */
	readonly statusPace?: Pace;
}

/** What is asked of the service, and how it may be repeated. */
interface Question<Schema extends z.ZodTypeAny> {
	readonly requestClass: RequestClass;
	readonly schema: Schema;
	readonly pace?: Pace;
}

const EDIT = { schema: editSchema };
const CONFIGURATIONS = configurationsSchema.transform((body) => body.configurations);
const COMPLETED_TASKS = completedTasksSchema.transform((body) => body.tasks);
const TEXT = serviceStatusSchema.transform(String);

/** One typed function for each endpoint of the interface, spec "Endpoints". */
export class Client {
	private readonly time: Time;

	constructor(
		private readonly transport: ClientTransport,
		private readonly tools: ClientTools = {},
	) {
		this.time = tools.time ?? systemTime;
	}

	/** 1. POST /v2/upload: asks for a signed URL for a file of this name (with extension). */
	async requestUpload(fileName: string): Promise<Result<Upload>> {
		const pace = this.tools.submissionPace;
		const query = { filename: fileName };
		return await this.request(
			{ requestClass: 'repeat', schema: uploadSchema, pace },
			{ method: 'POST', path: '/v2/upload', query },
		);
	}

	/** 2. PUT <signed_url>: streams the file. Never repeated: ask for a new signed URL instead. */
	async putFile(signedUrl: string, file: FileBody): Promise<Result<undefined>> {
		return isWebUrl(signedUrl)
			? await this.transport.put(signedUrl, file)
			: invalid('PUT of the file', 'The signed URL is not an http or https URL');
	}

	/** 3. POST /v2/edits: creates an edit, which is paid for. */
	async createEdit(request: EditRequest): Promise<Result<EditCreation>> {
		return await this.submit('/v2/edits', request);
	}

	/** 4. GET /v2/edits/{edit_id}. An unknown id reads PENDING. */
	async getEdit(editId: unknown): Promise<Result<Edit>> {
		const question = { ...EDIT, requestClass: 'read', pace: this.tools.statusPace } as const;
		return await this.askAbout(question, 'GET', '/v2/edits/', editId);
	}

	/** 4., asked once: for who polls and keeps the service's limits itself. */
	async getEditOnce(editId: unknown): Promise<Result<Edit>> {
		return await this.askAbout({ ...EDIT, requestClass: 'once' }, 'GET', '/v2/edits/', editId);
	}

	/**
	 * 5. DELETE /v2/edits/{edit_id}: deletes the edit, its source and its results permanently. 404 counts
	 * as deleted after a try that may have reached the service. The interface limits no deletions; a pace
	 * is for those who delete many.
	 */
	async deleteEdit(editId: unknown, pace?: Pace): Promise<Result<unknown>> {
		const question = { requestClass: 'repeat', schema: serviceStatusSchema, pace } as const;
		return await this.askAbout(question, 'DELETE', '/v2/edits/', editId);
	}

	/** 6. POST /v2/noise: creates a noise-reduction edit, which is paid for. */
	async createNoiseEdit(request: EditRequest): Promise<Result<EditCreation>> {
		return await this.submit('/v2/noise', request);
	}

	/** 7. GET /v1/account: checks the key and reads the credit. */
	async getAccount(): Promise<Result<Account>> {
		return await this.read(accountSchema, '/v1/account');
	}

	/** 8. GET /v2/configurations. */
	async listConfigurations(): Promise<Result<ConfigurationEntry[]>> {
		return await this.read(CONFIGURATIONS, '/v2/configurations');
	}

	/** 9. GET /v2/configuration/{config_id}. */
	async getConfiguration(configurationId: unknown): Promise<Result<ConfigurationDetail>> {
		const question = { requestClass: 'read', schema: configurationDetailSchema } as const;
		return await this.askAbout(question, 'GET', '/v2/configuration/', configurationId);
	}

	/** 10. GET /v2/completed_tasks/{config_id}: the last 7 days, newest first. */
	async listCompletedTasks(configurationId: unknown): Promise<Result<CompletedTask[]>> {
		const question = { requestClass: 'read', schema: COMPLETED_TASKS } as const;
		return await this.askAbout(question, 'GET', '/v2/completed_tasks/', configurationId);
	}

	/** 11. GET /: the service's page, as HTML text. */
	async getHomePage(): Promise<Result<string>> {
		return await this.read(TEXT, '/');
	}

	/** 12. GET /ping. */
	async ping(): Promise<Result<unknown>> {
		return await this.read(serviceStatusSchema, '/ping');
	}

	/** 13. GET /health. */
	async getHealth(): Promise<Result<unknown>> {
		return await this.read(serviceStatusSchema, '/health');
	}

	/** Opens a download link of a result; the link carries its own permission, not the key. */
	async openDownload(downloadUrl: string): Promise<Result<Download>> {
		if (!isWebUrl(downloadUrl)) {
			return invalid('GET of the file', 'The download link is not an http or https URL');
		}
		const tries = new Tries('read', this.time);
		for (;;) {
			const opened = await this.transport.open(downloadUrl);
			if (opened.ok) return opened;
			const waitMs = tries.next(opened.failure, 0);
			if (waitMs === undefined || !(await this.sleepsOn(opened.failure, waitMs))) return opened;
		}
	}

	private async submit(path: string, request: EditRequest): Promise<Result<EditCreation>> {
		const checked = editRequestSchema.safeParse(request);
		if (!checked.success) return invalid(`POST ${path}`, issueText(checked.error));
		const body = checked.data as IDataObject;
		const pace = this.tools.submissionPace;
		return await this.request(
			{ requestClass: 'submit', schema: editCreationSchema, pace },
			{ method: 'POST', path, body },
		);
	}

	private async read<Schema extends z.ZodTypeAny>(
		schema: Schema,
		path: string,
	): Promise<Result<z.output<Schema>>> {
		return await this.request({ requestClass: 'read', schema }, { method: 'GET', path });
	}

	private async askAbout<Schema extends z.ZodTypeAny>(
		question: Question<Schema>,
		method: ServiceRequest['method'],
		path: string,
		id: unknown,
	): Promise<Result<z.output<Schema>>> {
		const checked = pathId(id);
		return checked.ok
			? await this.request(question, { method, path: path + checked.segment })
			: invalid(`${method} ${path}{id}`, `The id cannot be used: ${checked.reason}`);
	}

	/**
	 * Sends a request when its turn has come, again where its class allows that, and reads the body of the
	 * answer as the interface promises it.
	 */
	private async request<Schema extends z.ZodTypeAny>(
		{ requestClass, schema, pace }: Question<Schema>,
		request: ServiceRequest,
	): Promise<Result<z.output<Schema>>> {
		const { transport } = this;
		const name = `${request.method} ${request.path}`;
		const hider = transport.hiderFor(request);
		const tries = new Tries(requestClass, this.time);
		let mayBeDeleted = false;
		for (;;) {
			await pace?.turn(transport.signal);
			const begunAtMs = this.time.now();
			const answer = refuseCut(await transport.call(request), requestClass, name, hider);
			if (answer.ok) return readBody(schema, name, answer.value, hider);
			const { failure } = answer;
			// An earlier try, whose answer was lost, has already deleted it.
			if (mayBeDeleted && failure.status === 404) return readBody(schema, name, {}, hider);
			mayBeDeleted ||= request.method === 'DELETE' && mayHaveBeenTaken(failure);
			const waitMs = tries.next(failure, this.time.now() - begunAtMs);
			if (waitMs === undefined || !(await this.sleepsOn(failure, waitMs, pace))) return answer;
		}
	}

	/** Whether the execution still runs after the wait before another try. */
	private async sleepsOn(failure: RequestFailure, waitMs: number, pace?: Pace): Promise<boolean> {
		const { signal } = this.transport;
		pace?.failed(failure, this.time.now() + waitMs);
		await this.time.sleep(waitMs, signal);
		return signal?.aborted !== true;
	}
}

function invalid<T>(request: string, said: string): Result<T> {
	return failed({ kind: 'invalid', request, said });
}
