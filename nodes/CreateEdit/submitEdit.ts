import type { IDataObject, IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { operationError, toNodeError } from '../../api/errors';
import { mayHaveBeenTaken } from '../../api/failure';
import { sanitizeText, withoutSecrets } from '../../api/sanitizeText';
import { systemTime } from '../../api/time';
import { DELIVERS_TO, noteDelivery } from '../shared/deliveries';
import type { FailFast } from '../shared/failFast';
import { addHint } from '../shared/hints';
import { say } from '../shared/progress';
import { isToolUse } from '../shared/isToolUse';
import { pointTo } from './executionPointer';
import type { PreparedRequest } from './readRequest';
import type { AcceptedSubmission, SubmissionLedger } from './submissionLedger';

/*
 * Rules that must not regress here:
 * - An edit is charged. It is posted once; the client repeats it only where the service did not take
 *   it, and the ledger keeps a second run of the node within this execution from posting it again.
 * - An edit ID is never lost: the error that ends the node names the IDs accepted before its item.
 */

/** In its next execution the model would submit again: the ledger does not outlive an execution. */
const ADVICE_FOR_AGENTS =
	'Do not create this edit again: ask the person to look at the recent edits at the service.';

/** What the submissions of one run of the node share. */
interface Submitting {
	readonly client: Client;
	readonly ledger: SubmissionLedger;
	readonly failFast: FailFast;
}

/** Submits one recording and returns its output, with the edit's ID. */
export async function submitEdit(
	context: IExecuteFunctions,
	{ client, ledger, failFast }: Submitting,
	prepared: PreparedRequest,
): Promise<IDataObject> {
	const { itemIndex, request, isNoise } = prepared;
	const earlier = ledger.find(itemIndex, request);
	if (earlier?.state === 'accepted') return outputOf(earlier);
	if (earlier?.state === 'uncertain') throw uncertainError(context, itemIndex, earlier.told);

	ledger.note(itemIndex, request, { state: 'uncertain' });
	const created = await failFast.attempt(
		itemIndex,
		async () => await (isNoise ? client.createNoiseEdit(request) : client.createEdit(request)),
	);
	if (!created.ok) {
		const isUncertain = mayHaveBeenTaken(created.failure);
		const error = toNodeError(context.getNode(), created.failure, {
			itemIndex,
			doing: 'create the edit',
			isSubmission: true,
			...(isUncertain && isToolUse(context) && { note: ADVICE_FOR_AGENTS }),
		});
		if (!isUncertain) ledger.forget(itemIndex, request);
		else ledger.note(itemIndex, request, { state: 'uncertain', told: error.message });
		throw error;
	}
	const editId = created.value.id;
	const submittedAt = new Date(systemTime.timeOfDay()).toISOString();
	const accepted = { state: 'accepted', editId, submittedAt, sent: sentIn(prepared) } as const;
	ledger.note(itemIndex, request, accepted);
	if (prepared.deliversTo !== undefined) noteDelivery(context, editId);
	const execution = context.getExecutionId();
	say(context, `edit ${editId} was created in execution ${execution}`, { editId });
	pointTo(context, editId);
	for (const { message, file } of prepared.hints)
		addHint(context, message, file && `'${sanitizeText(file)}'`);
	return outputOf(accepted);
}

function outputOf({ editId, submittedAt, sent }: AcceptedSubmission): IDataObject {
	return { editId, ...sent, submittedAt };
}

/** What a request asks for, without the secrets in its URLs. */
function sentIn({ request, config, sourceFileName, deliversTo }: PreparedRequest): IDataObject {
	const { signed_url: signedUrl } = config;
	const { files, template_id: templateId } = request.input;
	return {
		...(sourceFileName && { sourceFileName }),
		files: files.map(withoutSecrets),
		config: { ...config, ...(signedUrl && { signed_url: withoutSecrets(signedUrl) }) },
		...(templateId !== undefined && { templateId }),
		...(deliversTo !== undefined && { [DELIVERS_TO]: deliversTo }),
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
			description: isToolUse(context)
				? `A second edit would be charged, too. ${ADVICE_FOR_AGENTS}`
				: 'A second edit would be charged, too. Look at your recent edits at the service. If the edit is not there, run the workflow again.',
		},
	);
}
