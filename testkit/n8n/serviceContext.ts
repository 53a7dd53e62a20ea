import { randomUUID } from 'crypto';
import type { IExecuteFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { nodeContext } from './nodeContext';
import type { Answer, SeenRequest } from '../service/fake/scriptedService';

/** What a script decides by, for a service without HTTP. */
type SentRequest = Pick<SeenRequest, 'method' | 'path'>;

/** The fields of the credential. */
export interface CredentialFields {
	readonly baseUrl?: string;
	readonly apiKey?: string;
	readonly plan?: string;
	readonly submissionsPerMinute?: unknown;
	readonly numberOfWorkers?: unknown;
}

/** What a node run did with its context. */
interface Noted {
	readonly debugs: string[];
	readonly infos: string[];
	readonly warnings: string[];
	/** The metadata logged with each message. */
	readonly metas: unknown[];
	readonly hints: string[];
	readonly sent: IHttpRequestOptions[];
}

/**
 * Returns a context with a credential, for functions that need no engine. A script such as that of a
 * scripted service answers its requests without HTTP. Records what is logged, hinted and sent. Each has its
 * own key unless a test names one.
 */
export function serviceContext(
	fields: CredentialFields = {},
	more: Partial<IExecuteFunctions> = {},
	items?: INodeExecutionData[],
	script: (request: SentRequest, number: number) => Answer = () => ({ body: { id: 'e1' } }),
): Noted & { readonly context: IExecuteFunctions } {
	const noted: Noted = { debugs: [], infos: [], warnings: [], metas: [], hints: [], sent: [] };
	const helpers: Partial<IExecuteFunctions['helpers']> = {
		httpRequestWithAuthentication: async function (_type, options) {
			const { getExecutionCancelSignal } = this as Partial<IExecuteFunctions>;
			noted.sent.push({ ...options, abortSignal: getExecutionCancelSignal?.() });
			const { pathname, search } = new URL(options.url);
			const request = { method: options.method ?? 'GET', path: `${pathname}${search}` };
			const { status = 200, body, headers = {} } = script(request, noted.sent.length);
			return { statusCode: status, headers, body } as object;
		},
	};
	const credential = { baseUrl: 'https://api.example.com', apiKey: randomUUID(), ...fields };
	const logger: Partial<IExecuteFunctions['logger']> = {
		debug: (message: string) => void noted.debugs.push(message),
		info: (message: string, meta: unknown) => {
			noted.infos.push(message);
			noted.metas.push(meta);
		},
		warn: (message: string, meta: unknown) => {
			noted.warnings.push(message);
			noted.metas.push(meta);
		},
	};
	const context = nodeContext(
		{
			getCredentials: async <T extends object>() => credential as object as T,
			helpers: helpers as IExecuteFunctions['helpers'],
			logger: logger as IExecuteFunctions['logger'],
			addExecutionHints: (...hints) =>
				void noted.hints.push(...hints.map(({ message }) => message)),
			...more,
		},
		items,
	);
	return { context, ...noted };
}
