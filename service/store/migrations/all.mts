import type { Migration } from 'kysely/migration';

import { firstTables } from './firstTables.mts';
import { recognizedPercent } from './recognizedPercent.mts';

/**
 * The migrations by name, which is their order. They go forward only, and each only adds: processes
 * of the previous version that are running keep working. A released migration never changes.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
	'0001 first tables': firstTables,
	'0002 recognized percent': recognizedPercent,
};
