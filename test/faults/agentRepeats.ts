import type { IDataObject } from 'n8n-workflow';

import { runAgent } from '../support/agentRun';
import { type ItemEnd, type Ran, type RunAccess, endOfError, shownWhole } from './ran';

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
