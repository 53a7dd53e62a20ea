import type { IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';

import type { FakeService } from '../service/fake/fakeService';

/**
 * A node that runs in n8n's engine, and whose requests a fake service answers in memory: for more items than
 * HTTP has time for.
 */
export function inMemory(node: INodeType, service: FakeService): INodeType {
	const { execute } = node;
	return Object.create(node, {
		execute: {
			value: async function (this: IExecuteFunctions) {
				const helpers = Object.create(this.helpers, {
					httpRequestWithAuthentication: {
						value: async (_type: string, { method = 'GET', url, body }: IHttpRequestOptions) => {
							const { pathname, search } = new URL(url);
							const request = { method, path: pathname + search, body: String(body ?? '') };
							const { status = 200, body: answer = {} } = service.answer(request);
							return { statusCode: status, headers: {}, body: answer };
						},
					},
				}) as IExecuteFunctions['helpers'];
				return await execute?.call(Object.create(this, { helpers: { value: helpers } }));
			},
		},
	}) as INodeType;
}
