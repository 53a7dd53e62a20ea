import type { Endpoint } from './endpoints';
import type { Fault } from './faults';
import type { Verdict } from './runCase';

const LEGEND = [
	'Each cell has two signs: for a single strike, then for a permanent fault.',
	'+   the item succeeded, after a retry where one was needed',
	'!   it failed as it should, and says what to do',
	'X   not as expected',
	"..  cannot strike there: no JSON in a file; n8n's own credential test (10) has n8n's own time limit",
];

/** Returns the matrix as text: a line per fault, a column per endpoint. */
export function matrixText(
	endpoints: readonly Endpoint[],
	faults: readonly Fault[],
	verdicts: readonly Verdict[],
): string {
	const widest = Math.max(...faults.map(({ name }) => name.length));
	const columns = endpoints.map((_endpoint, index) => String(index + 1).padStart(3)).join('');
	const names = endpoints.map(
		({ name, through }, index) => `${String(index + 1).padStart(3)}  ${name} (${through})`,
	);
	const lines = faults.map((fault) => {
		const cells = endpoints.map((endpoint) => {
			const own = verdicts.filter((one) => one.endpoint === endpoint && one.fault === fault);
			own.sort((one, other) => Number(other.isOnce) - Number(one.isOnce));
			return ` ${own.map(sign).join('') || '..'}`;
		});
		return `${fault.name.padEnd(widest)} ${cells.join('')}`;
	});
	const passed = verdicts.filter(({ findings }) => findings.length === 0).length;
	return [
		'',
		'Fault matrix',
		...names,
		'',
		...LEGEND,
		'',
		`${' '.repeat(widest)} ${columns}`,
		...lines,
		'',
		`${verdicts.length} cases, ${passed} passed`,
		'',
	].join('\n');
}

/** What must never happen, and the findings that report it. */
const NEVER: Readonly<Record<string, RegExp>> = {
	'second submissions': /was accepted \d+ times/,
	'lost ids': /no edit id in/,
	'errors that name a field their form lacks': /an error names the field/,
	leaks: /a secret is shown|the key went|the other origin/,
};

/** Returns a line for each thing that must never happen. */
export function barsText(verdicts: readonly Verdict[]): string {
	const findings = verdicts.flatMap((verdict) => verdict.findings);
	const lines = Object.entries(NEVER).map(([name, said]) => {
		const count = findings.filter((finding) => said.test(finding)).length;
		return `bar ${name} in ${verdicts.length} faults: ${count} (goal <= 0) ${count > 0 ? 'SHORT' : 'ok'}`;
	});
	return `${lines.join('\n')}\n`;
}

function sign({ hasSucceeded, findings }: Verdict): string {
	if (findings.length > 0) return 'X';
	return hasSucceeded ? '+' : '!';
}

/** Describes a failed case in one line. */
export function findingText({ endpoint, fault, isOnce, findings }: Verdict): string {
	const strikes = isOnce ? 'once' : 'always';
	return `${endpoint.name} (${endpoint.through}), ${fault.name}, ${strikes}: ${findings.join('; ')}`;
}
