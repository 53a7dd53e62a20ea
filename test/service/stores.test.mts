import { sqliteIn } from './support/databases.mts';
import { MIGRATION_SUITE } from './support/migrationSuite.mts';
import { STORE_SUITE } from './support/storeSuite.mts';
import { runSuite } from './support/suite.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using temporary = await temporaryFolder();

for (const suite of [MIGRATION_SUITE, STORE_SUITE]) {
	await runSuite('SQLite', sqliteIn(temporary.path), suite);
}
