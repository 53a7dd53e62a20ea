import type { z } from 'zod';

import * as contract from './contract';
import { pathId } from './identifiers';
import { type RequestFailure, type Result, failed, mayHaveBeenTaken, success } from './failure';
import { EDIT_BYTES_MAXIMUM } from './readBody';
import { readResponse } from './responseBody';
import { type Pace, type RequestClass, Tries } from './retry';
import { type Time, systemTime } from './time';
import type { FileBody } from './fileBody';
import type { Download, ServiceRequest, Transport } from './transport';

/** The part of the transport that a client uses. */
export type ClientTransport = Pick<Transport, 'call' | 'put' | 'open' | 'hiderFor' | 'signal'>;

/** What a client needs beside its transport. */
export interface ClientTools {
	readonly time?: Time;
	/** Paces POST /v2/upload, /v2/edits and /v2/noise, which share one rate limit. */
	readonly submissionPace?: Pace;
	/** Paces GET /v2/edits/{id}. */
	readonly statusPace?: Pace;
	/** Aborted when no further try may begin. Unlike Stop, it lets requests under way end by themselves. */
	readonly givesUp?: AbortSignal;
}

/** What an endpoint returns, and how a call to it may be repeated. */
interface Endpoint<Schema extends z.ZodTypeAny> {
	readonly requestClass: RequestClass;
	readonly schema: Schema;
	readonly pace?: Pace;
}

const CONFIGURATIONS = contract.configurationsSchema.transform((body) => body.configurations);
const COMPLETED_TASKS = contract.completedTasksSchema.transform((body) => body.tasks);
/** For responses with the texts of edits. */
const WITH_TEXTS = { maximumBytes: EDIT_BYTES_MAXIMUM };
const TEXT = contract.serviceStatusSchema.transform(String);

/** One typed function for each endpoint of the interface (api.md#endpoints). */
export class Client {
	private readonly time: Time;

	/** Aborted by Stop, and when no further try may begin. */
	readonly signal?: AbortSignal;

	constructor(
		private readonly transport: ClientTransport,
		private readonly tools: ClientTools = {},
	) {
		this.time = tools.time ?? systemTime;
		const { signal } = transport;
		const { givesUp } = tools;
		this.signal = signal && givesUp ? AbortSignal.any([signal, givesUp]) : (signal ?? givesUp);
	}

	/** 1. POST /v2/upload: asks for a signed URL for a file of this name (with extension). */
	requestUpload(fileName: string): Promise<Result<contract.Upload>> {
		return this.request(
			{ requestClass: 'repeat', schema: contract.uploadSchema, pace: this.tools.submissionPace },
			success({ method: 'POST', path: '/v2/upload', query: { filename: fileName } }),
		);
	}

	/** 2. PUT <signed_url>: streams the file. Never repeated: ask for a new signed URL instead. */
	async putFile(signedUrl: string, file: FileBody): Promise<Result<undefined>> {
		return contract.isWebUrl(signedUrl)
			? await this.transport.put(signedUrl, file)
			: invalid('PUT of the file', 'the signed URL is not an http or https URL');
	}

	/** 3. POST /v2/edits: creates an edit, which is charged. */
	createEdit(request: contract.EditRequest): Promise<Result<contract.EditCreation>> {
		return this.request(this.submission, submit('/v2/edits', request));
	}

	/** 4. GET /v2/edits/{edit_id}. An unknown ID reads PENDING. */
	getEdit(editId: unknown): Promise<Result<contract.Edit>> {
		const endpoint = {
			requestClass: 'read',
			schema: contract.editSchema,
			pace: this.tools.statusPace,
		} as const;
		return this.request(endpoint, withId('GET', '/v2/edits/', editId, WITH_TEXTS));
	}

	/** GET /v2/edits/{edit_id} without pace and retries: the caller paces and repeats its polls. */
	async getEditOnce(editId: unknown): Promise<Result<contract.Edit>> {
		const asked = withId('GET', '/v2/edits/', editId, WITH_TEXTS);
		if (!asked.ok) return asked;
		const response = await this.transport.call(asked.value);
		return readResponse(this.reading(contract.editSchema, asked.value), response);
	}

	/**
	 * 5. DELETE /v2/edits/{edit_id}: permanently deletes the edit, its source and its results. A 404
	 * counts as deleted if an earlier try may have reached the service. The interface does not limit
	 * deletions; pass a pace to delete many.
	 */
	deleteEdit(editId: unknown, pace?: Pace): Promise<Result<unknown>> {
		const endpoint = {
			requestClass: 'repeat',
			schema: contract.serviceStatusSchema,
			pace,
		} as const;
		return this.request(endpoint, withId('DELETE', '/v2/edits/', editId));
	}

	/** 6. POST /v2/noise: creates a noise-reduction edit, which is charged. */
	createNoiseEdit(request: contract.EditRequest): Promise<Result<contract.EditCreation>> {
		return this.request(this.submission, submit('/v2/noise', request));
	}

	/** 7. GET /v1/account: checks the key and reads the credit. */
	getAccount(): Promise<Result<contract.Account>> {
		return this.request(reads(contract.accountSchema), get('/v1/account'));
	}

	/** 8. GET /v2/configurations. */
	listConfigurations(): Promise<Result<contract.ConfigurationEntry[]>> {
		return this.request(reads(CONFIGURATIONS), get('/v2/configurations'));
	}

	/** 9. GET /v2/configuration/{config_id}. */
	getConfiguration(configurationId: unknown): Promise<Result<contract.ConfigurationDetail>> {
		const asked = withId('GET', '/v2/configuration/', configurationId);
		return this.request(reads(contract.configurationDetailSchema), asked);
	}

	/** 10. GET /v2/completed_tasks/{config_id}: the last 7 days, newest first. */
	listCompletedTasks(configurationId: unknown): Promise<Result<contract.CompletedTask[]>> {
		const asked = withId('GET', '/v2/completed_tasks/', configurationId, WITH_TEXTS);
		return this.request(reads(COMPLETED_TASKS), asked);
	}

	/** 11. GET /: the service's page, as HTML text. */
	getHomePage(): Promise<Result<string>> {
		return this.request(reads(TEXT), get('/'));
	}

	/** 12. GET /ping. */
	ping(): Promise<Result<unknown>> {
		return this.request(reads(contract.serviceStatusSchema), get('/ping'));
	}

	/** 13. GET /health. */
	getHealth(): Promise<Result<unknown>> {
		return this.request(reads(contract.serviceStatusSchema), get('/health'));
	}

	/** Opens a download link of a result; the link carries its own permission, not the key. */
	async openDownload(downloadUrl: string): Promise<Result<Download>> {
		if (!contract.isWebUrl(downloadUrl)) {
			return invalid('GET of the file', 'the download link is not an http or https URL');
		}
		const tries = new Tries('read', this.time);
		for (;;) {
			const opened = await this.transport.open(downloadUrl);
			if (opened.ok) return opened;
			const waitMs = tries.next(opened.failure, 0);
			if (waitMs === undefined || !(await this.sleepsOn(opened.failure, waitMs))) return opened;
		}
	}

	private get submission(): Endpoint<typeof contract.editCreationSchema> {
		const pace = this.tools.submissionPace;
		return { requestClass: 'submit', schema: contract.editCreationSchema, pace };
	}

	/** How to read the response to a request. */
	private reading<Schema extends z.ZodTypeAny>(
		schema: Schema,
		request: ServiceRequest,
		requestClass?: RequestClass,
	) {
		return {
			schema,
			request: `${request.method} ${request.path}`,
			hider: this.transport.hiderFor(request),
			quotesCut: requestClass === 'submit',
		};
	}

	/**
	 * Sends a request at the endpoint's pace, repeats it if its class allows that, and reads the response
	 * as the contract promises it.
	 */
	private async request<Schema extends z.ZodTypeAny>(
		{ requestClass, schema, pace }: Endpoint<Schema>,
		asked: Result<ServiceRequest>,
	): Promise<Result<z.output<Schema>>> {
		if (!asked.ok) return asked;
		const request = asked.value;
		const { transport } = this;
		const reading = this.reading(schema, request, requestClass);
		const tries = new Tries(requestClass, this.time);
		let mayBeDeleted = false;
		for (;;) {
			await pace?.turn(this.signal);
			if (this.tools.givesUp?.aborted) {
				return failed({ kind: 'stopped', request: reading.request, wasSent: false });
			}
			const begunAtMs = this.time.now();
			const result = readResponse(reading, await transport.call(request, reading.hider));
			if (result.ok) return result;
			const { failure } = result;
			// An earlier try, whose response was lost, has already deleted it.
			if (mayBeDeleted && failure.status === 404) return readResponse(reading, success({}));
			mayBeDeleted ||= request.method === 'DELETE' && mayHaveBeenTaken(failure);
			const waitMs = tries.next(failure, this.time.now() - begunAtMs);
			if (waitMs === undefined || !(await this.sleepsOn(failure, waitMs, pace))) return result;
		}
	}

	/** Waits before another try. Returns whether it may begin. */
	private async sleepsOn(failure: RequestFailure, waitMs: number, pace?: Pace): Promise<boolean> {
		pace?.failed(failure, this.time.now() + waitMs);
		await this.time.sleep(waitMs, this.signal);
		return this.signal?.aborted !== true;
	}
}

function reads<Schema extends z.ZodTypeAny>(schema: Schema): Endpoint<Schema> {
	return { requestClass: 'read', schema };
}

function get(path: string): Result<ServiceRequest> {
	return success({ method: 'GET', path });
}

function submit(path: string, body: contract.EditRequest): Result<ServiceRequest> {
	return success({ method: 'POST', path, body: { ...body } });
}

/** A request about one resource. Fails with kind `invalid` if the ID cannot be part of a path. */
function withId(
	method: ServiceRequest['method'],
	path: string,
	id: unknown,
	more: Partial<ServiceRequest> = {},
): Result<ServiceRequest> {
	const checked = pathId(id);
	return checked.ok
		? success({ method, path: path + checked.segment, ...more })
		: invalid(`${method} ${path}{id}`, `the ID ${checked.reason}`);
}

function invalid<T>(request: string, said: string): Result<T> {
	return failed({ kind: 'invalid', request, said });
}
