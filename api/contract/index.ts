/**
 * The service's interface, said once: a zod schema for every table of the spec.
 *
 * Requests are strict, responses tolerant. The nodes use it through the client; the local service
 * uses it from the other side. Nothing in this folder knows n8n.
 */
export * from './account';
export * from './config';
export * from './configurations';
export * from './edit';
export * from './editRequest';
export * from './editResult';
export * from './limits';
export * from './statuses';
export * from './webUrl';
export * from './wireErrors';
