import { systemTime } from '../../../api/time';
import { nodeContext } from '../../../testkit/n8n/nodeContext';
import { runEachItem } from '../../../testkit/n8n/runWork';

// A clock that leaps waits for quiet, and would never let other work in.
jest.unmock('../../../api/time');

/** Together, reading them takes several times as long as n8n may be kept from its other work. */
const ITEMS = Array.from({ length: 100 }, () => ({ json: {} }));

/** Keeps the thread busy, as n8n does when it evaluates an expression. */
function readSlowly(): number {
	const endMs = performance.now() + 1;
	while (performance.now() < endMs);
	return 0;
}

let events: string[];

beforeEach(() => {
	events = [];
	void systemTime.sleep(1).then(() => events.push('other work'));
});

it('n8n does other work while the forms of many items are read', async () => {
	const handle = async () => {
		events.push('handled');
		return await Promise.resolve([]);
	};
	await runEachItem(nodeContext({}, ITEMS), handle, { read: readSlowly });
	expect(events.slice(0, 2)).toEqual(['other work', 'handled']);
});
