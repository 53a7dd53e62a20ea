import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { CredentialReference, Editor } from '../../support/pages/editor.mts';
import { dataOf, itemsOf } from '../../support/outputs.mts';
import { chain } from '../../support/workflowFiles.mts';
import type { Span } from './eventLoop.mts';

/** What a production execution of a chain took. */
export interface Run {
	/** From the request that began it until n8n has stored it. */
	readonly whole: Span;
	/** When each node was at work, in their order. */
	readonly nodes: ReadonlyMap<string, Span>;
	/** What n8n has stored about the execution. */
	readonly storedBytes: number;
}

/** Makes a chain that begins with a webhook at this path. */
export type ChainAt = (path: string) => Parameters<typeof chain>[2];

/** As often as the editor's list of executions asks. */
const LOOK_EVERY_MS = 4_000;

/** Runs a chain once, started by a request with these entries. @throws unless all of them arrive */
export async function runOnce(
	editor: Editor,
	credential: CredentialReference,
	chainAt: ChainAt,
	entries: readonly object[],
	home: string,
): Promise<Run> {
	const path = randomUUID();
	const links = chainAt(path);
	const workflowId = await editor.createWorkflow(chain('Bench', credential, links));
	await editor.publish(workflowId);
	const fromMs = Date.now();
	await fetch(`${editor.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(entries),
	});
	const [{ id: executionId }] = await editor.allEnded(workflowId, 1, LOOK_EVERY_MS);
	const whole = { fromMs, toMs: Date.now() };
	const execution = await editor.execution(executionId);
	const last = links.at(-1)?.name ?? '';
	const arrived = itemsOf(execution, last).filter(({ binary }) => binary !== undefined).length;
	if (execution.status !== 'success' || arrived !== entries.length) {
		throw new Error(`${arrived} of ${entries.length} files arrived: ${execution.status}`);
	}
	const { runData } = dataOf(execution).resultData;
	const nodes = new Map<string, Span>();
	for (const { name } of links) {
		const [{ startTime, executionTime }] = runData[name];
		nodes.set(name, { fromMs: startTime, toMs: startTime + executionTime });
	}
	return { whole, nodes, storedBytes: storedBytes(home, executionId) };
}

function storedBytes(home: string, executionId: string): number {
	const database = new DatabaseSync(join(home, '.n8n', 'database.sqlite'), { readOnly: true });
	try {
		const row = database
			.prepare('SELECT octet_length(data) AS bytes FROM execution_data WHERE executionId = ?')
			.get(executionId);
		return Number(row?.['bytes']);
	} finally {
		database.close();
	}
}
