import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runOne, useService } from './useService';
import type { NodeSpec } from '../n8n/workflows';

/** A public file that needs no upload. */
export const FILE = 'https://files.example.com/a.wav';

/** The input of a request as it was sent. */
interface SentInput {
	files: string[];
	config: { signed_url?: string };
}

/**
 * Starts a scripted service for Create Edit, for the tests of a file, and stops it after them. Returns it with a
 * way to run the node.
 */
export function useScriptedSubmissions() {
	const service = useService();
	return {
		service,
		create: async (
			parameters?: INodeParameters,
			items: IDataObject[] = [{ fileUrl: FILE }],
			settings: NodeSpec['settings'] = {},
		) => {
			const given = items.map((json) => ({ json }));
			const ended = await runOne(service, 'createEdit', parameters, given, { settings });
			const submitted = service.seen.filter(({ method }) => method === 'POST');
			const bodies = submitted.map(({ body }) => JSON.parse(body) as { input: SentInput });
			return { ...ended, bodies };
		},
	};
}
