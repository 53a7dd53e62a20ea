import { spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Child, startChild } from './children.mts';
import { freePort } from './freePort.ts';
import { eventually } from '../time/eventually.mts';

const HOST = '127.0.0.1';

/** May do everything, without a password. */
const USER = 'tests';

export type PostgresServer = Awaited<ReturnType<typeof postgresServer>>;

/**
 * Starts a PostgreSQL on its own port whose data survives a kill. `await using` ends it and removes its folder.
 *
 * @param settings settings other than the defaults, such as `fsync=off`
 * @throws if none is installed
 */
export async function postgresServer(settings: readonly string[] = [], log = '/dev/null') {
	const { folder, data, command, run } = await install();
	const port = await freePort();
	const all = [`listen_addresses=${HOST}`, 'unix_socket_directories=', ...settings];
	const flags = all.flatMap((setting) => ['-c', setting]);
	const program = command('postgres', ['-D', data, '-p', String(port), ...flags]);
	const access = ['-h', HOST, '-p', String(port), '-U', USER];
	const created = new Set(['postgres']);
	let server: Child | undefined;
	const start = async () => {
		await eventually('PostgreSQL is ready', () => {
			// A new one refuses to start until all processes of a killed one are gone.
			if (server?.hasEnded() ?? true) {
				server = startChild(...program, { log, env: process.env, cwd: folder });
			}
			const [ready, args] = command('pg_isready', access);
			return spawnSync(ready, args).status === 0;
		});
	};
	await start();
	return {
		host: HOST,
		port,
		user: USER,
		/** Returns the URL of a database, which is created when it is first asked for. */
		urlOf: (database: string) => {
			if (!created.has(database)) run('createdb', [...access, database]);
			created.add(database);
			return `postgres://${USER}@${HOST}:${port}/${database}`;
		},
		/** Runs a query. @returns the lines of its result */
		ask: (query: string) => {
			const psql = [...access, '-d', 'postgres', '--no-psqlrc', '-Atc', query];
			return run('psql', psql).split('\n').filter(Boolean);
		},
		/** Starts it again with its data and on its port, and waits until it is ready. */
		start,
		/** Kills it without a checkpoint, as a power cut would. */
		kill: async () => await server?.kill(),
		[Symbol.asyncDispose]: async () => {
			await server?.stop('SIGINT');
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Makes an empty database on disk. */
async function install() {
	const programs = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1);
	if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: postgresql)');
	const folder = await mkdtemp(join(tmpdir(), 'test-postgres-'));
	const data = join(folder, 'data');
	mkdirSync(data);
	const prefix = allowedUser([folder, data]);
	/** Returns a command line of a program as a user whom PostgreSQL accepts. */
	const command = (program: string, args: readonly string[]): [string, string[]] => {
		const [first = '', ...rest] = [...prefix, join(programs, program), ...args];
		return [first, rest];
	};
	/** Runs a program to its end. @returns its output */
	const run = (program: string, args: readonly string[]) => {
		const ended = spawnSync(...command(program, args), { encoding: 'utf8', cwd: folder });
		if (ended.status !== 0) throw new Error(`${program}: ${ended.stderr}`);
		return ended.stdout;
	};
	const access = ['-A', 'trust', '-U', USER];
	run('initdb', ['-D', data, ...access, '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8']);
	return { folder, data, command, run };
}

/** PostgreSQL refuses to run as root, so root runs it as the user that Debian created for it. */
function allowedUser(folders: readonly string[]): string[] {
	if (process.getuid?.() !== 0) return [];
	const idOf = (flag: string) =>
		Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
	for (const folder of folders) chownSync(folder, idOf('-u'), idOf('-g'));
	return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
}
