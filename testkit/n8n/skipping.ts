import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { itemsOf } from './n8nEngine';
import { useProcessedData } from './processedData';
import { useScriptedSubmissions } from '../service/scriptedSubmissions';
import type { NodeSpec } from './workflows';

export const BY_URL: INodeParameters = { skipEdited: 'url' };
export const BY_NAME_AND_SIZE: INodeParameters = { skipEdited: 'nameAndSize' };
export const byValue = (skipValue: string): INodeParameters => ({ skipEdited: 'value', skipValue });

/** Returns an item from Upload, whose URL is another one each time. */
export const uploaded = (sizeBytes: number, fileName = 'talk.wav') => ({
	fileUrl: `https://store.example.com/${Math.random()}/${fileName}`,
	fileName,
	sizeBytes,
	contentType: 'audio/wav',
	sourceFileName: fileName,
});

/** Gives a test file n8n's memory, a scripted service, and executions of Create Edit. */
export function useSkipping() {
	const store = useProcessedData();
	const submissions = useScriptedSubmissions();
	/** Runs Create Edit in its own execution; `submitted` counts the requests of all so far. */
	const execution = async (
		parameters: INodeParameters,
		items?: IDataObject[],
		settings?: NodeSpec['settings'],
	) => {
		const { run, out, error } = await submissions.create(parameters, items, settings);
		const skipped = itemsOf(run, 'createEdit', 1);
		return { run, out, error, skipped, submitted: submissions.service.seen.length };
	};
	return { store, submissions, execution };
}
