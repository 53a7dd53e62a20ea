import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

/** The n8n contexts from which the service is called. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * The context with another abort signal. n8n passes the context's own signal to every authenticated
 * call and ignores the one in the call's options.
 */
export function withSignal<Context extends ServiceContext>(
	context: Context,
	signal: IHttpRequestOptions['abortSignal'],
): Context {
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;
}
