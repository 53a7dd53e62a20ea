import type { z } from 'zod';

import {
	type EditRequest,
	completedTasksSchema,
	configurationsSchema,
	serviceStatusSchema,
} from './contract';
import { type Result, failed, success } from './failure';
import { pathId } from './identifiers';
import { EDIT_BYTES_MAXIMUM } from './readBody';
import type { Pace, RequestClass } from './retry';
import type { ServiceRequest } from './transport';

/** What an endpoint returns, and how a call to it may be repeated. */
export interface Endpoint<Schema extends z.ZodTypeAny> {
	readonly requestClass: RequestClass;
	readonly schema: Schema;
	readonly pace?: Pace;
}

export const CONFIGURATIONS = configurationsSchema.transform((body) => body.configurations);
export const COMPLETED_TASKS = completedTasksSchema.transform((body) => body.tasks);
/** For responses with the texts of edits. */
export const WITH_TEXTS = { maximumBytes: EDIT_BYTES_MAXIMUM };
export const TEXT = serviceStatusSchema.transform(String);

export function reads<Schema extends z.ZodTypeAny>(schema: Schema): Endpoint<Schema> {
	return { requestClass: 'read', schema };
}

export function get(path: string): Result<ServiceRequest> {
	return success({ method: 'GET', path });
}

export function submit(path: string, body: EditRequest): Result<ServiceRequest> {
	return success({ method: 'POST', path, body: { ...body } });
}

/** A request about one resource. Fails with kind `invalid` if the ID cannot be part of a path. */
export function withId(
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

export function invalid<T>(request: string, said: string): Result<T> {
	return failed({ kind: 'invalid', request, said });
}
