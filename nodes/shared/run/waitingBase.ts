import { isWebUrl } from '../../../api/contract';
import type { ServiceContext } from '../../../api/serviceContext';

/**
 * Where the executions of this n8n wait for a file: the address of this one, without its number and query.
 * Undefined where n8n does not say it, as in old versions to a trigger.
 */
export function readWaitingBase(context: ServiceContext): string | undefined {
	if (!('evaluateExpression' in context)) return undefined;
	try {
		const url: unknown = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
		if (typeof url !== 'string' || !isWebUrl(url)) return undefined;
		const { origin, pathname } = new URL(url);
		return origin + pathname.replace(/\/[^/]*$/, '');
	} catch {
		// Outside an execution, some versions of n8n evaluate no expressions.
		return undefined;
	}
}
