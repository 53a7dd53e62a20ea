/**
 * The one door from the local service to the house: the interface both sides are built on.
 *
 * The files are named one by one, because an ES module sees the names of a CommonJS file but not
 * those it passes on from others.
 */
export * from '../../api/contract/account.ts';
export * from '../../api/contract/config.ts';
export * from '../../api/contract/configurations.ts';
export * from '../../api/contract/edit.ts';
export * from '../../api/contract/editRequest.ts';
export * from '../../api/contract/editResult.ts';
export * from '../../api/contract/limits.ts';
export * from '../../api/contract/statuses.ts';
export * from '../../api/contract/wireErrors.ts';
