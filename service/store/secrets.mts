import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
	existsSync,
	linkSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { codeOf, messageOf } from '../shared/failures.mts';
import type { Database } from './database.mts';
import { ONLY_ROW } from './schema.mts';

const secretsSchema = z.object({
	/** The API key generated at the first start. */
	apiKey: z.string().min(1),
	/** The secret that signs upload and download links, hexadecimal. */
	linkSecret: z.string().min(32),
});

/** Survives restarts, so that the generated key and existing links keep working. */
export type Secrets = z.infer<typeof secretsSchema>;

/** Reads a storage folder's secrets, or creates them at the first start, readable by the owner only. */
export function readOrMakeSecrets(storageFolder: string): Secrets {
	mkdirSync(storageFolder, { recursive: true, mode: 0o700 });
	const path = join(storageFolder, 'secrets.json');
	return existsSync(path) ? readSecrets(path) : keepFirst(path, newSecrets());
}

function readSecrets(path: string): Secrets {
	try {
		return secretsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
	} catch (cause) {
		const what = cause instanceof z.ZodError ? 'something is missing in it' : messageOf(cause);
		throw new Error(
			`${path} is damaged: ${what}. Restore it from a backup, or delete it: then a new key is made, and links from before no longer work`,
			{ cause },
		);
	}
}

function newSecrets(): Secrets {
	return {
		apiKey: `local-${randomBytes(24).toString('base64url')}`,
		linkSecret: randomBytes(32).toString('hex'),
	};
}

/** Reads the secrets of processes that share no folder, or creates them at the first start. */
export async function sharedSecrets(database: Database): Promise<Secrets> {
	const made = { place: ONLY_ROW, facts: JSON.stringify(newSecrets()) };
	await database.run((tables) =>
		tables
			.insertInto('secrets')
			.values(made)
			// The first process to start wins.
			.onConflict((conflict) => conflict.column('place').doNothing())
			.execute(),
	);
	const { facts } = await database.run((tables) =>
		tables.selectFrom('secrets').select('facts').executeTakeFirstOrThrow(),
	);
	return secretsSchema.parse(JSON.parse(facts));
}

/**
 * Returns the name that distinguishes a service from others on the same Redis or in the same bucket.
 * It does not reveal the secret.
 */
export function serviceNameOf({ linkSecret }: Secrets): string {
	const hash = createHash('sha256').update(`queue ${linkSecret}`).digest('hex');
	return `audio-editing-${hash.slice(0, 16)}`;
}

/** Writes the secrets unless another starting process was first. Returns the ones in the file. */
function keepFirst(path: string, secrets: Secrets): Secrets {
	const own = `${path}.${randomUUID()}`;
	writeFileSync(own, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
	try {
		linkSync(own, path);
		return secrets;
	} catch (error) {
		if (codeOf(error) === 'EEXIST') return readSecrets(path);
		// This file system has no hard links.
		renameSync(own, path);
		return secrets;
	} finally {
		rmSync(own, { force: true });
	}
}
