import type { IDataObject } from 'n8n-workflow';

import { runAgent } from '../support/agentRun';
import { type ItemEnd, type Ran, type RunAccess, endOfError, shownWhole } from './ran';

/** How often the model makes the same call, whatever it is answered. */
const CALLS = 3;

/**
 * Runs Create Edit as a tool of an AI Agent of version 3, whose model repeats its call. The end is what
 * the model is answered first; what the repeats lead to shows in the edits that the service created.
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

/** A model is given an error's message alone, so that holds everything. */
function endOfAnswer(answer: string): ItemEnd {
	const [json] = [JSON.parse(answer) as IDataObject | IDataObject[]].flat();
	const { error: message } = json;
	return typeof message === 'string' ? endOfError({ message, description: message }) : { json };
}
