import type { IDataObject, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { itemsOf } from './n8nEngine';
import { type UsedService, useService } from './useService';
import { type NodeSpec, chain, runChain } from './workflows';

/** A public file that needs no upload. */
export const FILE = 'https://files.example.com/a.wav';

/** The input of a request as it was sent. */
interface SentInput {
	files: string[];
	config: { signed_url?: string };
}

/** A scripted service for Create Edit, and a way to run the node. */
export interface ScriptedSubmissions {
	/** Its answer is a new edit id each time by default. */
	readonly service: UsedService;
	create(
		parameters?: INodeParameters,
		items?: IDataObject[],
		settings?: NodeSpec['settings'],
		/** What the execution remembers of earlier submissions. */
		submissionsBefore?: IDataObject,
	): Promise<{
		run: IRun;
		out: INodeExecutionData[];
		error: IRun['data']['resultData']['error'];
		bodies: Array<{ input: SentInput }>;
	}>;
}

/** Starts a scripted service for the tests of a file and stops it after them. */
export function useScriptedSubmissions(): ScriptedSubmissions {
	const service: UsedService = useService(() => ({ body: { id: `edit-${service.seen.length}` } }));
	return {
		service,
		create: async (
			parameters = {},
			items = [{ fileUrl: FILE }],
			settings = {},
			submissionsBefore = {},
		) => {
			const workflow = chain({ type: 'createEdit', parameters, settings });
			const given = items.map((json) => ({ json }));
			const contextData = { 'node:createEdit': { submissions: submissionsBefore } };
			const run = await runChain(service, workflow, given, { contextData });
			const bodies = service.seen.map(({ body }) => JSON.parse(body) as { input: SentInput });
			return { run, out: itemsOf(run, 'createEdit'), error: run.data.resultData.error, bodies };
		},
	};
}
