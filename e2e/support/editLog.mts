import { readFile } from 'node:fs/promises';

import { eventually } from '../../test/support/eventually.mts';

const EDIT_ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** The IDs of edits in some lines. */
export const idsIn = (lines: readonly string[]): Set<string> =>
	new Set(lines.flatMap((line) => line.match(EDIT_ID) ?? []));

/** What n8n's log says of edits. @param path of the log */
export function editLogOf(path: string) {
	const logLines = async () => (await readFile(path, 'utf8')).split('\n');
	return {
		logLines,

		/** Returns the ids that n8n's log names as created in an execution. */
		createdIn: async (execution: string): Promise<Set<string>> => {
			const end = ` was created in execution ${execution}`;
			return idsIn((await logLines()).filter((line) => line.endsWith(end)));
		},

		/** Returns the ids that n8n's log names after an execution was stopped, once it does. */
		goingOn: async (execution: string): Promise<Set<string>> => {
			const part = `(execution ${execution}) was stopped; these edits keep running`;
			return await eventually(
				`the log names the edits that continue after execution ${execution}`,
				async () => {
					const ids = idsIn((await logLines()).filter((line) => line.includes(part)));
					return ids.size > 0 ? ids : undefined;
				},
			);
		},
	};
}
