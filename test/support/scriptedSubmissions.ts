import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type NodeEnd, type UsedService, runOne, useService } from './useService';
import type { NodeSpec } from './workflows';

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
	): Promise<NodeEnd & { bodies: Array<{ input: SentInput }> }>;
}

/** Starts a scripted service for the tests of a file and stops it after them. */
export function useScriptedSubmissions(): ScriptedSubmissions {
	const service: UsedService = useService(() => ({ body: { id: `edit-${service.seen.length}` } }));
	return {
		service,
		create: async (parameters, items = [{ fileUrl: FILE }], settings = {}) => {
			const given = items.map((json) => ({ json }));
			const ended = await runOne(service, 'createEdit', parameters, given, { settings });
			const bodies = service.seen.map(({ body }) => JSON.parse(body) as { input: SentInput });
			return { ...ended, bodies };
		},
	};
}
