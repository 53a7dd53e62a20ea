/**
 * `npm run bench -w service -- openapi`: Schemathesis sends the service what docs/openapi.json allows, and what it does
 * not, and compares the answers with it. `-- openapi --max-examples 1000` sends more; other flags are Schemathesis' own.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { Client } from '../../../testkit/service/client.mts';
import { startLocalService } from '../../../testkit/service/localService.ts';
import { PLAIN, SILENCES, talk } from '../../../testkit/service/recordings.mts';
import { reviewed } from '../../../testkit/service/reviews.mts';

/** It finds other things in each version: a new one is a change of ours. */
const SCHEMATHESIS = 'schemathesis==4.32.5';

const HOOKS = join(import.meta.dirname, 'hooks.py');

/** More than Schemathesis sends. */
const NO_LIMIT = '10000000';

/** More requests than the usual limits allow, and every edit that cuts waits for its review. */
const FLAGS = [
	`--submissions-per-minute=${NO_LIMIT}`,
	`--status-calls-per-minute=${NO_LIMIT}`,
	`--other-calls-per-minute=${NO_LIMIT}`,
	`--max-queued-edits=${NO_LIMIT}`,
	'--review',
];

await using folder = await temporaryFolder();
const programs = join(folder.path, 'venv', 'bin');
const shown = { stdout: 'inherit', stderr: 'inherit', reject: false } as const;
await execa('python3', ['-m', 'venv', join(folder.path, 'venv')]);
await execa(join(programs, 'pip'), ['install', '--quiet', SCHEMATHESIS], { stderr: 'inherit' });

const service = await startLocalService(FLAGS);
try {
	const ann = new Client(service.url, service.apiKey);
	const files = [await ann.upload(talk)];
	const { id: waiting } = await reviewed(ann, { files, config: SILENCES });
	const { task_id: finished } = await ann.run(talk, PLAIN);
	await writeFile(join(folder.path, 'schemathesis.toml'), knownEdits(waiting, finished));
	const asked = [`${service.url}/openapi.json`, '--header', `X-API-Key: ${service.apiKey}`];
	const { exitCode } = await execa(
		join(programs, 'schemathesis'),
		['run', ...asked, '--max-examples', '100', ...process.argv.slice(2)],
		{ ...shown, cwd: folder.path, env: { SCHEMATHESIS_HOOKS: HOOKS } },
	);
	process.exitCode = exitCode === 0 ? 0 : 1;
} finally {
	await service.stop();
}

/** Names an edit that waits for its review, and one that has ended, for what makes no sense without them. */
function knownEdits(waiting: string, finished: string): string {
	return `
[[operations]]
include-path = "/local/edits/{edit_id}/cuts"
parameters = { "path.edit_id" = "${waiting}" }
# No schema says that cuts must not overlap.
checks.positive_data_acceptance.expected-statuses = [200, 401, 404, 409, 422]

[[operations]]
include-path = "/local/edits/{edit_id}/cuts/{place}/{clip}"
parameters = { "path.edit_id" = "${waiting}" }
# No schema says which cuts there are.
checks.positive_data_acceptance.expected-statuses = [200, 401, 404, 409]

[[operations]]
include-path = "/local/edits/{edit_id}/timelines/{kind}"
parameters = { "path.edit_id" = "${finished}" }
`;
}
