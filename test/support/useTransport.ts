import type { IExecuteFunctions } from 'n8n-workflow';

import { type Transport, openTransport } from '../../api/transport';
import { COMMON_DESCRIPTION } from '../../nodes/shared/form/fields';
import { testNode } from './engineNodeTypes';
import { type UsedService, useService } from './useService';
import { chain, runChain } from './workflows';

/** A scripted service, and n8n's real helper to call it. */
interface CalledService extends UsedService {
	/** Runs `work` with a transport of a node's context; it calls this service if no other is given. */
	withTransport(
		work: (transport: Transport, context: IExecuteFunctions, stop: () => void) => Promise<void>,
		url?: string,
	): Promise<void>;
}

/** Starts the service for the tests of a file; it answers with nothing unless a test says more. */
export function useTransport(): CalledService {
	const service = useService(() => (response) => response.end());
	const withTransport: CalledService['withTransport'] = async (work, url = service.url) => {
		let stop = () => {};
		let worked = Promise.resolve();
		const test = async (context: IExecuteFunctions) => {
			const opened = await openTransport(context);
			if (!opened.ok) throw new Error(opened.failure.said);
			await work(opened.value, context, () => stop());
		};
		const probe = testNode(async (context) => {
			await (worked = test(context));
			return [];
		}, COMMON_DESCRIPTION);
		const nodeTypes = { 'n8n-nodes-audio-editing.probe': probe };
		const onStart = (cancel: () => void) => {
			stop = cancel;
		};
		const access = { url, apiKey: service.apiKey };
		await runChain(access, chain({ type: 'probe' }), undefined, { nodeTypes, onStart });
		// A stopped execution does not wait for its node.
		await worked;
	};
	return Object.assign(service, { withTransport });
}
