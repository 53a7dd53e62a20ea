import { systemTime } from '../../api/time';
import { readWaitOptions } from '../../nodes/WaitForEdit/readWaitOptions';
import { nodeContext, withFields } from '../support/nodeContext';
import { runEachItem } from '../support/runWork';

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

describe('n8n does other work while the forms of many items are read', () => {
	it('by a node that handles each item', async () => {
		const handle = async () => {
			events.push('handled');
			return await Promise.resolve([]);
		};
		await runEachItem(nodeContext({}, ITEMS), handle, { read: readSlowly });
		expect(events.slice(0, 2)).toEqual(['other work', 'handled']);
	});

	it('by Wait For Edit', async () => {
		const fields = { whileWaiting: 'keepRunning', maximumWaitMinutes: 30 };
		const { getNodeParameter: read } = withFields({ ...fields, editId: 'a' });
		const getNodeParameter = ((name: string, itemIndex: number, fallback?: unknown) => {
			if (name === 'editId') readSlowly();
			return read(name, itemIndex, fallback);
		}) as typeof read;
		await readWaitOptions(nodeContext({ ...withFields(fields), getNodeParameter }, ITEMS));
		expect(events).toEqual(['other work']);
	});
});
