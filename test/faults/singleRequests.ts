import { LoadOptionsContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import { CreateEdit } from '../../nodes/CreateEdit/CreateEdit.node';
import { runAgent } from '../../testkit/n8n/agentRun';
import { workflowOf } from '../../testkit/n8n/engineNodeTypes';
import { savedCredential } from '../../testkit/n8n/savedCredential';
import { polledNode } from '../../testkit/n8n/pollNode';
import { chain, dataFor } from '../../testkit/n8n/workflows';
import { type ItemEnd, type Ran, type RunAccess, endOfError, shownWhole } from './ran';

const [, NODE] = chain({ type: 'node' }).nodes;
const WORKFLOW = { nodes: [NODE], connections: {} };

/** A configuration that the local service has. */
export const CONFIGURATION = { __rl: true, mode: 'id', value: '1' };

/** Polls the trigger as n8n does for an active workflow. */
export async function runPoll(access: RunAccess): Promise<Ran> {
	const parameters = { templateId: CONFIGURATION, options: { startWithPast: true } };
	const polled = polledNode(access, parameters);
	return await ranOf(async () => await polled.poll());
}

/** Fills the list of templates in Create Edit's form, as n8n's editor does. */
export async function runTemplateSearch(access: RunAccess): Promise<Ran> {
	const createEdit = new CreateEdit();
	const context = new LoadOptionsContext(
		workflowOf(WORKFLOW, {}, createEdit),
		NODE,
		dataFor(access),
		'templateId',
	);
	return await ranOf(
		async () => await createEdit.methods.listSearch.searchConfigurations.call(context),
	);
}

/** Checks the credential as n8n does when a person saves it. */
export async function runCredentialTest(access: RunAccess): Promise<Ran> {
	return await ranOf(async () => {
		const { status, message } = await savedCredential(access);
		if (status === 'Error') throw new Error(message);
	});
}

async function ranOf(
	work: () => Promise<unknown>,
	shown: (value: unknown) => string = shownWhole,
): Promise<Ran> {
	try {
		const value = await work();
		return { ends: [{ json: {} }], text: shownWhole(value) };
	} catch (error) {
		return { ends: [endOfError(error)], text: shown(error) };
	}
}

/** Times the model makes the same call, whatever the response. */
const CALLS = 3;

/**
 * Runs Create Edit as a tool of an AI Agent (version 3) whose model repeats its call. The end is the
 * first response to the model; the edits that the service created show the effect of the repeats.
 */
export async function runAgentRepeats(
	{ onLog, ...access }: RunAccess,
	fileUrl: string,
): Promise<Ran> {
	const tool = {
		type: 'createEdit',
		parameters: { fileUrls: "={{ $fromAI('fileUrl') }}", preset: 'none' },
	};
	const turns = Array.from({ length: CALLS }, () => [{ tool: tool.type, input: { fileUrl } }]);
	const { run, answers } = await runAgent(access, [tool], turns, { onLog });
	return { ends: [endOfAnswer(answers[0])], text: shownWhole([run.data.resultData, answers]) };
}

/** A model sees only an error's message, so the message contains everything. */
function endOfAnswer(answer: string): ItemEnd {
	const [json] = [JSON.parse(answer) as IDataObject | IDataObject[]].flat();
	const { error: message } = json;
	return typeof message === 'string' ? endOfError({ message, description: message }) : { json };
}
