/**
 * The service's interface: a zod schema for every table of docs/api.md. Requests are strict, responses
 * tolerant. The nodes and the local service share it, so nothing in this folder depends on n8n.
 */
export * from './account';
export * from './config';
export * from './configurations';
export * from './cuts';
export * from './edit';
export * from './editRequest';
export * from './editResult';
export * from './failureReason';
export * from './limits';
export * from './localSettings';
export * from './statuses';
export * from './wireErrors';
