/** The runners that package.json names (`npm test`, `npm run bench`, `eval`, `e2e`, `release`) are tables of names and commands. */
import { spawnSync } from 'node:child_process';

export interface Entry {
	/** What it does, in one line of the menu. */
	readonly about: string;
	/** For a shell. Arguments after the name of the entry are added at its end. */
	readonly command: string;
}

export type Menu<T = Entry> = Readonly<Record<string, T>>;

/** What lists the entries of every runner. */
const LIST = 'list';

/** Prints the names of all entries, with what each does. `script` is such as `npm run bench`. */
function printMenu(script: string, menu: Menu<Pick<Entry, 'about'>>): void {
	console.log(`${script} -- <name>\n`);
	const width = Math.max(...Object.keys(menu).map((name) => name.length));
	for (const [name, { about }] of Object.entries(menu)) {
		console.log(`  ${name.padEnd(width)}  ${about}`);
	}
}

/** Lists all entries; fails if the command line named what is not among them. */
export function refuse(script: string, menu: Menu<Pick<Entry, 'about'>>, name: string): void {
	printMenu(script, menu);
	if (name === LIST) return;
	console.error(`There is no ${name}.`);
	process.exitCode = 1;
}

/** Runs the entry that the command line names, or lists all of them. */
export function runChosen(script: string, menu: Menu): void {
	const [name = LIST, ...args] = process.argv.slice(2);
	if (Object.hasOwn(menu, name)) run(menu[name].command, args);
	else refuse(script, menu, name);
}

/** Runs a shell command with arguments, and returns whether it succeeded. If not, this process fails, too. */
export function run(
	command: string,
	args: readonly string[],
	env: NodeJS.ProcessEnv = {},
): boolean {
	const { status, signal } = spawnSync('bash', ['-c', `${command} "$@"`, command, ...args], {
		stdio: 'inherit',
		env: { ...process.env, ...env },
	});
	if (status === 0) return true;
	console.error(`Ended with ${String(status ?? signal)}: ${command}`);
	process.exitCode = status ?? 1;
	return false;
}
