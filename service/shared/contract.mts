/**
 * The service's only import from the nodes' code: the API contract that both sides implement.
 *
 * Lists the files one by one, because an ES module cannot see what a CommonJS file re-exports.
 */
export * from '../../api/contract/account.ts';
export * from '../../api/contract/config.ts';
export * from '../../api/contract/configurations.ts';
export * from '../../api/contract/cuts.ts';
export * from '../../api/contract/edit.ts';
export * from '../../api/contract/editRequest.ts';
export * from '../../api/contract/editResult.ts';
export * from '../../api/contract/failureReason.ts';
export * from '../../api/contract/limits.ts';
export * from '../../api/contract/localSettings.ts';
export * from '../../api/contract/statuses.ts';
export * from '../../api/contract/wireErrors.ts';
export { default as OPENAPI_DOCUMENT } from '../../docs/openapi.json' with { type: 'json' };
