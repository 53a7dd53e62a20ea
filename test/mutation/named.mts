/** `npm test -- mutants`: applies each named mutant, and exits with 1 unless a test notices each. */
import { printBars } from '../../testkit/measure/bars.mts';
import { runNamedMutants } from './runNamedMutants.mts';

const { killed, all } = await runNamedMutants();
printBars([{ name: 'named mutants killed', figure: killed, limit: all, goal: '>=', decimals: 0 }]);
