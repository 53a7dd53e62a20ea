import type { z } from 'zod';

import * as contract from './contract';
import { pathId } from './sanitizeText';
import { type Result, failed, mayHaveBeenAccepted, success } from './failure';
import { MAX_EDIT_BYTES } from './readBody';
import { readResponse } from './responseBody';
import { type Pace, type RequestClass, Tries } from './retry';
import { type Time, systemTime } from './time';
import type { FileBody } from './fileBody';
import type { Download, ServiceRequest, Transport } from './transport';

/** The part of the transport that a client uses. */
export type ClientTransport = Pick<
	Transport,
	'call' | 'put' | 'open' | 'openOwn' | 'hiderFor' | 'signal'
>;

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

/** A call of an endpoint: what it sends, what it returns, and how it may be repeated. */
interface Call<Schema extends z.ZodTypeAny> extends Partial<ServiceRequest> {
	/** With `{id}` if the endpoint is about one resource. */
	readonly path: string;
	readonly id?: unknown;
	readonly schema: Schema;
	/** `read` if missing. */
	readonly requestClass?: RequestClass;
	readonly pace?: Pace;
	/** Whether the caller has awaited the pace for the first try. */
	readonly hasTurn?: boolean;
}

/** The part of a path that is an ID. */
const ID = '{id}';

const CUTS = `/local/edits/${ID}/cuts`;
const CONFIGURATIONS = contract.configurationsSchema.transform((body) => body.configurations);
const COMPLETED_TASKS = contract.completedTasksSchema.transform((body) => body.tasks);
const TEXT = contract.serviceStatusSchema.transform(String);
const STATUS = { schema: contract.serviceStatusSchema };
/** For responses with the texts of edits. */
const WITH_TEXTS = { maxBytes: MAX_EDIT_BYTES };
const EDIT = { path: '/v2/edits/{id}', schema: contract.editSchema, ...WITH_TEXTS };

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
		return this.request({
			method: 'POST',
			path: '/v2/upload',
			query: { filename: fileName },
			schema: contract.uploadSchema,
			requestClass: 'repeat',
			pace: this.tools.submissionPace,
		});
	}

	/** 2. PUT <signed_url>: streams the file. Never repeated: ask for a new signed URL instead. */
	async putFile(signedUrl: string, file: FileBody): Promise<Result<undefined>> {
		return contract.isWebUrl(signedUrl)
			? await this.transport.put(signedUrl, file)
			: invalid('PUT of the file', 'the signed URL is not an http or https URL');
	}

	/** Resolves when the rate limit allows a submission, or at once when no further one may begin. */
	async turnToSubmit(): Promise<void> {
		await this.tools.submissionPace?.turn(this.signal);
	}

	/**
	 * 3. POST /v2/edits: creates an edit, which is charged.
	 *
	 * @param hasTurn whether the caller has awaited {@link turnToSubmit} for it
	 */
	createEdit(
		request: contract.EditRequest,
		hasTurn = false,
	): Promise<Result<contract.EditCreation>> {
		return this.submit('/v2/edits', request, hasTurn);
	}

	/** 4. GET /v2/edits/{edit_id}. An unknown ID reads PENDING. */
	getEdit(id: unknown): Promise<Result<contract.Edit>> {
		return this.request({ ...EDIT, id, pace: this.tools.statusPace });
	}

	/** GET /v2/edits/{edit_id} without pace and retries: the caller paces and repeats its polls. */
	async getEditOnce(id: unknown): Promise<Result<contract.Edit>> {
		const prepared = this.prepared({ ...EDIT, id });
		if (!prepared.ok) return prepared;
		const { request, reading } = prepared.value;
		return await readResponse(reading, await this.transport.call(request));
	}

	/**
	 * 5. DELETE /v2/edits/{edit_id}: permanently deletes the edit, its source and its results. A 404
	 * counts as deleted if an earlier try may have reached the service. The interface does not limit
	 * deletions; pass a pace to delete many.
	 */
	deleteEdit(id: unknown, pace?: Pace): Promise<Result<unknown>> {
		const path = '/v2/edits/{id}';
		return this.request({ ...STATUS, method: 'DELETE', path, id, requestClass: 'repeat', pace });
	}

	/** 6. POST /v2/noise: creates a noise-reduction edit, which is charged. See {@link createEdit}. */
	createNoiseEdit(
		request: contract.EditRequest,
		hasTurn = false,
	): Promise<Result<contract.EditCreation>> {
		return this.submit('/v2/noise', request, hasTurn);
	}

	/** 7. GET /v1/account: checks the key and reads the credit. */
	getAccount(): Promise<Result<contract.Account>> {
		return this.request({ path: '/v1/account', schema: contract.accountSchema });
	}

	/** 8. GET /v2/configurations. */
	listConfigurations(): Promise<Result<contract.ConfigurationEntry[]>> {
		return this.request({ path: '/v2/configurations', schema: CONFIGURATIONS });
	}

	/** 9. GET /v2/configuration/{config_id}. */
	getConfiguration(id: unknown): Promise<Result<contract.ConfigurationDetail>> {
		const schema = contract.configurationDetailSchema;
		return this.request({ path: '/v2/configuration/{id}', id, schema });
	}

	/** 10. GET /v2/completed_tasks/{config_id}: the last 7 days, newest first. */
	listCompletedTasks(id: unknown): Promise<Result<contract.CompletedTask[]>> {
		const path = '/v2/completed_tasks/{id}';
		return this.request({ path, id, schema: COMPLETED_TASKS, ...WITH_TEXTS });
	}

	/** 11. GET /: the service's page, as HTML text. */
	getHomePage(): Promise<Result<string>> {
		return this.request({ path: '/', schema: TEXT });
	}

	/** 12. GET /ping. */
	ping(): Promise<Result<unknown>> {
		return this.request({ ...STATUS, path: '/ping' });
	}

	/** 13. GET /health. */
	getHealth(): Promise<Result<unknown>> {
		return this.request({ ...STATUS, path: '/health' });
	}

	/** Opens a download link of a result; the link carries its own permission, not the key. */
	async openDownload(downloadUrl: string): Promise<Result<Download>> {
		if (!contract.isWebUrl(downloadUrl)) {
			return invalid('GET of the file', 'the download link is not an http or https URL');
		}
		return await this.opened(async () => await this.transport.open(downloadUrl));
	}

	private async opened(open: () => Promise<Result<Download>>): Promise<Result<Download>> {
		const tries = new Tries('read', this.time);
		for (;;) {
			const opened = await open();
			if (opened.ok) return opened;
			const waitMs = tries.next(opened.failure, 0);
			if (waitMs === undefined || !(await this.sleepsOn(waitMs))) return opened;
		}
	}

	/** GET /local/edits/{edit_id}/cuts: the least certain cuts. Only the local service has it. */
	getDoubtfulCuts(id: unknown, most: number): Promise<Result<contract.DoubtfulCuts>> {
		const query = { doubtful: most };
		const schema = contract.doubtfulCutsSchema;
		return this.request({ path: CUTS, id, query, schema, pace: this.tools.statusPace });
	}

	/**
	 * PUT /local/edits/{edit_id}/cuts: decides about cuts, and approves. Sent again, it approves nothing twice: the
	 * decisions follow a revision.
	 */
	approveCuts(id: unknown, approval: contract.CutsApproval): Promise<Result<contract.CutsReview>> {
		const body = { ...approval, decisions: approval.decisions.map((one) => ({ ...one })) };
		const schema = contract.cutsReviewSchema;
		return this.request({ method: 'PUT', path: CUTS, id, body, schema, requestClass: 'repeat' });
	}

	/** Opens a clip of a cut, which needs the key. */
	async openClip(
		id: unknown,
		{ start, end }: Pick<contract.DoubtfulCut, 'start' | 'end'>,
		clip: 'before' | 'after',
	): Promise<Result<Download>> {
		const checked = pathId(id);
		if (!checked.ok) return invalid(`GET ${CUTS}`, `the ID ${checked.reason}`);
		const path = `${CUTS.replace(ID, checked.segment)}/${start}-${end}/${clip}.mp3`;
		return await this.opened(async () => await this.transport.openOwn(path));
	}

	private submit(
		path: string,
		body: contract.EditRequest,
		hasTurn: boolean,
	): Promise<Result<contract.EditCreation>> {
		return this.request({
			method: 'POST',
			path,
			body: { ...body },
			schema: contract.editCreationSchema,
			requestClass: 'submit',
			pace: this.tools.submissionPace,
			hasTurn,
		});
	}

	/** A call's request, and how to read the response. Fails with kind `invalid` if the ID cannot be part of a path. */
	private prepared<Schema extends z.ZodTypeAny>(call: Call<Schema>) {
		const { method = 'GET', path, id, schema, requestClass, query, body, maxBytes } = call;
		const checked = pathId(id);
		if (path.includes(ID) && !checked.ok) {
			return invalid<never>(`${method} ${path}`, `the ID ${checked.reason}`);
		}
		const ownPath = checked.ok ? path.replace(ID, checked.segment) : path;
		const request: ServiceRequest = { method, path: ownPath, query, body, maxBytes };
		const hider = this.transport.hiderFor(request);
		const quotesCut = requestClass === 'submit';
		return success({
			request,
			reading: { schema, request: `${method} ${ownPath}`, hider, quotesCut },
		});
	}

	/**
	 * Sends a request at the endpoint's pace, repeats it if its class allows that, and reads the response
	 * as the contract promises it.
	 */
	private async request<Schema extends z.ZodTypeAny>(
		call: Call<Schema>,
	): Promise<Result<z.output<Schema>>> {
		const prepared = this.prepared(call);
		if (!prepared.ok) return prepared;
		const { request, reading } = prepared.value;
		const { requestClass = 'read', pace } = call;
		const tries = new Tries(requestClass, this.time);
		let mayBeDeleted = false;
		let hasTurn = call.hasTurn === true;
		for (;;) {
			if (!hasTurn) await pace?.turn(this.signal);
			hasTurn = false;
			if (this.tools.givesUp?.aborted) {
				return failed({ kind: 'stopped', request: reading.request, wasSent: false });
			}
			const begunAtMs = this.time.now();
			const response = await this.transport.call(request, reading.hider);
			const result = await readResponse(reading, response);
			if (result.ok) return result;
			const { failure } = result;
			// An earlier try, whose response was lost, has already deleted it.
			if (mayBeDeleted && failure.status === 404) {
				return await readResponse(reading, success({}));
			}
			mayBeDeleted ||= request.method === 'DELETE' && mayHaveBeenAccepted(failure);
			const waitMs = tries.next(failure, this.time.now() - begunAtMs);
			if (waitMs === undefined) return result;
			pace?.failed(failure, this.time.now() + waitMs, begunAtMs);
			if (!(await this.sleepsOn(waitMs))) return result;
		}
	}

	/** Waits before another try. Returns whether it may begin. */
	private async sleepsOn(waitMs: number): Promise<boolean> {
		await this.time.sleep(waitMs, this.signal);
		return this.signal?.aborted !== true;
	}
}

function invalid<T>(request: string, said: string): Result<T> {
	return failed({ kind: 'invalid', request, said });
}
