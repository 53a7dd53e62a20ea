/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they look into n8n's store */
import { readdirSync } from 'fs';
import { basename, join } from 'path';

import type { IBinaryData } from 'n8n-workflow';

/** Returns the paths of n8n's copy of a file and of its metadata. */
export function storedPaths({ id = '' }: IBinaryData): string[] {
	const folder = process.env.N8N_USER_FOLDER ?? '';
	const name = basename(id);
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((path) => basename(path).startsWith(name))
		.map((path) => join(folder, path));
}
