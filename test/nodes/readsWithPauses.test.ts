import { nodeContext } from '../support/nodeContext';
import { runEachItem } from '../support/runWork';

/** Together, reading them takes several times as long as n8n may be kept from its other work. */
const ITEMS = Array.from({ length: 100 }, () => ({ json: {} }));

/** Keeps the thread busy, as n8n does when it evaluates an expression. */
function readSlowly(): number {
	const endMs = performance.now() + 1;
	while (performance.now() < endMs);
	return 0;
}

it('lets n8n do other work while it reads the forms of many items', async () => {
	const events: string[] = [];
	setImmediate(() => events.push('other work'));
	const handle = async () => {
		events.push('handled');
		return await Promise.resolve([]);
	};
	await runEachItem(nodeContext({}, ITEMS), handle, { read: readSlowly });
	expect(events.slice(0, 2)).toEqual(['other work', 'handled']);
});
