import { execa } from 'execa';

/** A row of the table: one bar, or what went wrong with the whole bench. */
export interface Row {
	readonly bench: string;
	readonly bar: string;
	readonly figure: string;
	readonly goal: string;
	readonly result: 'ok' | 'SHORT' | 'FAILED';
	/** When, on which commit, and how long the bench ran. */
	readonly run: string;
}

const BAR_LINE = /^bar (.+): (\S+(?: \S+){0,3}) \(goal ([<>]= [^)]+)\) (ok|SHORT)$/;

/** How much of a bench's last line fits into the table. */
const MAX_CHARACTERS = 60;

/** A bench prints this line if it uses random numbers. */
const SEEDS_LINE = /^seeds .+$/;

/**
 * Runs the shell command of a bench in this folder and returns its rows. A bench that ends without a bar,
 * or fails without a short one, gets a row that says so.
 */
export async function runBench(
	bench: string,
	command: string,
	folder: string,
	commit: string,
): Promise<Row[]> {
	const beganAt = new Date();
	const { lines, end } = await outputOf(command, folder);
	const seconds = (Date.now() - beganAt.getTime()) / 1_000;
	const seeds = lines.filter((line) => SEEDS_LINE.test(line));
	const date = beganAt.toISOString().slice(0, 16).replace('T', ' ');
	const run = [`${date} UTC`, commit, `${seconds.toFixed(0)} s`, ...seeds].join(', ');
	const rows = lines.flatMap((line): Row[] => {
		const match = BAR_LINE.exec(line);
		if (match === null) return [];
		const [, bar, figure, goal, result] = match;
		return [{ bench, bar, figure, goal, result: result === 'ok' ? 'ok' : 'SHORT', run }];
	});
	const isExplained = end === '0' ? rows.length > 0 : rows.some(({ result }) => result === 'SHORT');
	if (isExplained) return rows;
	const isSaid = (line: string) => line.trim() !== '' && !/^Node\.js v|^ {4}at |^\}$/.test(line);
	const last = lines.findLast(isSaid) ?? 'no output';
	const bar = `ended with ${end}: ${last.slice(0, MAX_CHARACTERS)}`;
	return [...rows, { bench, bar, figure: '', goal: '', result: 'FAILED', run }];
}

/** Runs a command, passes its output on, and returns the lines with the exit code or signal. */
async function outputOf(command: string, folder: string) {
	const { stdout, stderr, exitCode, signal } = await execa('bash', ['-c', command], {
		cwd: folder,
		stdin: 'ignore',
		reject: false,
		stdout: ['inherit', 'pipe'],
		stderr: ['inherit', 'pipe'],
	});
	return { lines: `${stdout}\n${stderr}`.split('\n'), end: String(exitCode ?? signal) };
}
