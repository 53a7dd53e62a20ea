import type { IExecuteFunctions } from 'n8n-workflow';

import { systemTime } from '../../api/time';
import type { WaitTools } from '../../waiting/waitForEdits';
import { PENDING_NOTE } from '../shared/failureTexts';
import { addHint } from '../shared/hints';
import type { Service } from '../shared/service';

/** What every waiting loop uses: the service, the clock, Stop, and a warning of edits that stay PENDING. */
export function waitToolsOf(
	context: IExecuteFunctions,
	{ client, rateLimits }: Service,
): WaitTools {
	return {
		time: systemTime,
		client,
		rateLimit: rateLimits.statusCalls,
		signal: context.getExecutionCancelSignal(),
		onEndlessPending: ({ editId }, pendingSeconds) => {
			const minutes = Math.round(pendingSeconds / 60);
			const text = `PENDING for ${minutes} minutes, and has had no other status. ${PENDING_NOTE}`;
			context.logger.warn(`Audio editing: edit ${editId} is ${text}`, { editId });
			addHint(context, text, `edit ${editId}`);
		},
	};
}
