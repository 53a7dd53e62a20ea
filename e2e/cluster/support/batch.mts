import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INodeExecutionData } from 'n8n-workflow';

import { makeRecording, wavSeconds } from '../../../testkit/media/recording.ts';
import type { CredentialReference, Editor } from '../../support/pages/editor.mts';
import { fileOf, itemsOf, textOf } from '../../support/outputs.mts';
import { fileReader, ours, webhook } from '../../support/nodes.mts';
import type { Sandbox } from '../../support/sandbox.mts';
import { chain } from '../../support/workflowFiles.mts';

/** Executions that begin at the same moment; n8n's workers take a few at a time. */
const EXECUTIONS = 20;

const EDITS_EACH = 10;

export const EDITS = EXECUTIONS * EDITS_EACH;

const LOOK_EVERY_MS = 2_000;

const NODE = 'Audio Editing';

/** Returns the length of a recording, 5 to 9 s. Each is different, so the length identifies an edited file. */
function secondsOf(index: number): number {
	return 5 + index * 0.02;
}

const nameOf = (index: number) => `take-${String(index).padStart(3, '0')}.wav`;

const folderOf = (execution: number) => `batch-${execution}`;

/** Stores the recordings where n8n may read them. */
async function writeRecordings({ home }: Sandbox): Promise<void> {
	for (let index = 0; index < EDITS; index += 1) {
		const folder = join(home, '.n8n-files', folderOf(Math.floor(index / EDITS_EACH)));
		await mkdir(folder, { recursive: true });
		const recording = makeRecording({ partsSeconds: [secondsOf(index)] });
		await writeFile(join(folder, nameOf(index)), recording);
	}
}

/** Starts all executions, each of which edits the recordings of one folder. @returns the workflow's id */
export async function startBatch(
	sandbox: Sandbox,
	editor: Editor,
	credential: CredentialReference,
): Promise<string> {
	await writeRecordings(sandbox);
	const path = randomUUID();
	const fileSelector = `=${join(sandbox.home, '.n8n-files')}/{{ $json.body.folder }}/*.wav`;
	const edit = ours('audioEditing', {
		name: NODE,
		parameters: { advanced: { firstPollDelaySeconds: 5, pollIntervalSeconds: 5 } },
		// One item that fails must not hide what became of the rest.
		onError: 'continueErrorOutput',
	});
	const links = [webhook(path), fileReader(fileSelector), edit];
	const workflow = chain('Batch', credential, links);
	const id = await editor.published(workflow);
	for (let execution = 0; execution < EXECUTIONS; execution += 1) {
		await editor.post(path, { folder: folderOf(execution) });
	}
	return id;
}

/** Waits until all executions have ended. @returns the edited items, and those that failed, as JSON */
export async function endOfBatch(editor: Editor, workflowId: string) {
	const ended = await editor.allEnded(workflowId, EXECUTIONS, LOOK_EVERY_MS);
	const edited: Awaited<ReturnType<typeof checked>>[] = [];
	const failed: string[] = [];
	for (const { id } of ended) {
		const execution = await editor.execution(id);
		for (const item of itemsOf(execution, NODE)) edited.push(await checked(editor, item));
		failed.push(...itemsOf(execution, NODE, 1).map(({ json }) => JSON.stringify(json)));
	}
	return { edited, failed };
}

/** Reads an item, and whether its file is the edited file of its recording. */
async function checked(editor: Editor, item: INodeExecutionData) {
	const sourceFileName = textOf(item, 'sourceFileName');
	const { content } = await fileOf(editor, item);
	const expected = secondsOf(Number(/\d+/.exec(sourceFileName)?.[0]));
	const isOwnFile = Math.abs(wavSeconds(content) - expected) < 0.005;
	return { editId: textOf(item, 'editId'), sourceFileName, isOwnFile };
}
