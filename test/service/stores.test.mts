import { sqliteIn } from './support/databases.mts';
import { STORE_SUITE } from './support/storeSuite.mts';
import { runSuite } from './support/suite.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using temporary = await temporaryFolder();

await runSuite('SQLite', sqliteIn(temporary.path), STORE_SUITE);
