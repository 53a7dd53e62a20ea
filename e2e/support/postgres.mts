import { spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, startChild } from './children.mts';
import { eventually } from './patience.mts';
import type { Sandbox } from './sandbox.mts';

/** Used only by n8n on loopback and deleted after the tests, so nothing needs to survive a crash. */
const SETTINGS = [
	'fsync=off',
	'synchronous_commit=off',
	'full_page_writes=off',
	'max_connections=100',
];

const USER = 'n8n';

/**
 * Starts a separate PostgreSQL, which n8n needs for more than one process.
 *
 * @returns the variables that make n8n use it
 * @throws if none is installed
 */
export async function startPostgres(sandbox: Sandbox): Promise<Record<string, string>> {
	const programs = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1);
	if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: postgresql)');
	const folder = await mkdtemp(join(tmpdir(), 'audio-editing-postgres-'));
	sandbox.onEnd(async () => {
		await rm(folder, { recursive: true, force: true });
	});
	const data = join(folder, 'data');
	mkdirSync(data);
	const prefix = allowedUser([folder, data]);
	const command = (program: string, args: readonly string[]): [string, string[]] => {
		const [first = '', ...rest] = [...prefix, join(programs, program), ...args];
		return [first, rest];
	};
	const initial = [
		'-D',
		data,
		'-A',
		'trust',
		'-U',
		USER,
		'--no-sync',
		'-E',
		'UTF8',
		'--locale=C.UTF-8',
	];
	const { status, stderr } = spawnSync(...command('initdb', initial), { encoding: 'utf8' });
	if (status !== 0) throw new Error(`initdb: ${stderr}`);

	const port = await freePort();
	const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...SETTINGS];
	const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
	const log = sandbox.logOf('postgres');
	const server = startChild(...command('postgres', args), { log, env: process.env, cwd: folder });
	sandbox.onEnd(async () => {
		await server.stop('SIGINT');
	});
	const isReady = ['-h', '127.0.0.1', '-p', String(port)];
	await eventually('PostgreSQL is ready', async () => {
		const { status: code } = spawnSync(join(programs, 'pg_isready'), isReady);
		return await Promise.resolve(code === 0 ? true : undefined);
	});
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: USER,
		DB_POSTGRESDB_POOL_SIZE: '10',
	};
}

/** PostgreSQL refuses to run as root, so root runs it as the user that Debian created for it. */
function allowedUser(folders: readonly string[]): string[] {
	if (process.getuid?.() !== 0) return [];
	const idOf = (flag: string) =>
		Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
	for (const folder of folders) chownSync(folder, idOf('-u'), idOf('-g'));
	return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
}
