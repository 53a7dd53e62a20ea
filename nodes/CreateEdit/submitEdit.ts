import type { IDataObject, IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { operationError, toNodeError } from '../../api/errors';
import { mayHaveBeenTaken } from '../../api/outcome';
import { shownText, withoutSecrets } from '../../api/text';
import { systemTime } from '../../api/time';
import { addHint } from '../shared/hints';
import type { PreparedRequest } from './readRequest';
import type { SubmissionLedger } from './submissionLedger';

/*
 * Rules that must not regress here:
 * - A job is paid for. It is posted once; the client repeats it only where the service surely did not
 *   take it, and the ledger keeps a second run of the node within this execution from posting again.
 * - An edit id is never lost: ids accepted before an item failed stand in the error that ends the node.
 */

/** Submits one recording and gives out its edit id. */
export async function submitEdit(
	context: IExecuteFunctions,
	client: Client,
	ledger: SubmissionLedger,
	prepared: PreparedRequest,
): Promise<IDataObject> {
	const { itemIndex, request, isNoise } = prepared;
	const earlier = ledger.find(itemIndex, request);
	if (earlier?.state === 'accepted') {
		return output(prepared, earlier.editId, earlier.submittedAt);
	}
	if (earlier?.state === 'uncertain') {
		throw uncertainError(context, itemIndex, earlier.told);
	}

	ledger.note(itemIndex, request, { state: 'uncertain' });
	const created = await (isNoise ? client.createNoiseEdit(request) : client.createEdit(request));
	if (!created.ok) {
		const told = { itemIndex, doing: 'create the edit', isSubmission: true };
		const error = toNodeError(context.getNode(), created.failure, told);
		if (!mayHaveBeenTaken(created.failure)) ledger.forget(itemIndex);
		else ledger.note(itemIndex, request, { state: 'uncertain', told: error.message });
		throw error;
	}
	const editId = created.value.id;
	const submittedAt = new Date(systemTime.now()).toISOString();
	ledger.note(itemIndex, request, { state: 'accepted', editId, submittedAt });
	context.logger.info(`Audio editing: edit ${editId} was created`, { editId });
	for (const { message, file } of prepared.hints)
		addHint(context, message, file && `'${shownText(file)}'`);
	return output(prepared, editId, submittedAt);
}

function output(
	{ request, config }: PreparedRequest,
	editId: string,
	submittedAt: string,
): IDataObject {
	const { signed_url: signedUrl } = config;
	const { files, template_id: templateId } = request.input;
	return {
		editId,
		files: files.map(withoutSecrets),
		config: { ...config, ...(signedUrl && { signed_url: withoutSecrets(signedUrl) }) },
		...(templateId !== undefined && { templateId }),
		submittedAt,
	};
}

function uncertainError(
	context: IExecuteFunctions,
	itemIndex: number,
	told = `It did not end [item ${itemIndex}]`,
): NodeOperationError {
	return operationError(
		context.getNode(),
		`The edit was not sent again: an earlier try in this execution may have reached the service. ${told}`,
		{
			itemIndex,
			description:
				'A second edit would be paid for too. Look at your recent edits at the service; if it is not there, run the workflow anew.',
		},
	);
}
