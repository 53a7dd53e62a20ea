import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { type Link, createEdit, getResult, waitForEdit, webhook } from '../../support/nodes.mts';
import { dataOf, itemsOf } from '../../support/outputs.mts';
import type { CredentialReference, Editor } from '../../support/pages/editor.mts';
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

/** As often as the editor's list of executions asks. */
const LOOK_EVERY_MS = 4_000;

const SPLIT: Link = {
	name: 'Split Out',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body', options: {} },
};

/** Edits this many recordings in one execution, which a request starts. @throws unless all of them arrive */
export async function runOnce(
	editor: Editor,
	credential: CredentialReference,
	recordings: number,
	home: string,
): Promise<Run> {
	const path = randomUUID();
	// Dragged from the input, as most people fill a field.
	const create = createEdit({ fileUrls: '={{ $json.fileUrl }}' });
	const links = [webhook(path), SPLIT, create, waitForEdit(), getResult()];
	const entries = Array.from({ length: recordings }, (_, index) => ({
		fileUrl: `https://files.example.com/uploads/episode-${index + 1}.mp3`,
		sourceFileName: `episode-${index + 1}.mp3`,
	}));
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
