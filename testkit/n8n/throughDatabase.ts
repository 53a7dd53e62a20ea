import type { IRun, IRunExecutionData } from 'n8n-workflow';

// n8n's database stores executions as flatted; JSON would hide what does not survive that.
type Flatted = typeof import('flatted', { with: { 'resolution-mode': 'import' } });
const { parse, stringify } = jest.requireActual<Flatted>('flatted');

/** Returns an execution as n8n's database returns it. */
export function throughDatabase(run: IRun): IRunExecutionData {
	return parse(stringify(run.data)) as IRunExecutionData;
}
