import { systemTime } from '../../../api/time';
import type { Form } from '../../../nodes/core/form/values';
import { NodeRun } from '../../../nodes/core/run/nodeRun';
import { Outcomes } from '../../../nodes/core/items/outcomes';
import { readItemForm } from '../../../nodes/core/items/readItemForm';
import { nodeContext } from '../../../testkit/n8n/nodeContext';

// A clock that leaps waits for quiet, and would never let other work in.
jest.unmock('../../../api/time');

/** Together, reading them takes several times as long as n8n may be kept from its other work. */
const ITEMS = Array.from({ length: 100 }, () => ({ json: {} }));

/** Keeps the thread busy, as n8n does when it evaluates an expression. */
function readSlowly(): string {
	const endMs = performance.now() + 1;
	while (performance.now() < endMs);
	return 'x';
}

const FIELD = { displayName: 'Name', name: 'name', type: 'string', default: '' } as const;

it('n8n does other work while the forms of many items are read', async () => {
	const events: string[] = [];
	void systemTime.sleep(1).then(() => events.push('other work'));
	const getNodeParameter = (() => readSlowly()) as () => never;
	const run = new NodeRun(nodeContext({ getNodeParameter }, ITEMS));
	const forms: Form[] = [];
	for await (const itemIndices of new Outcomes(run).itemsToRead()) {
		forms.push(readItemForm(run, [FIELD], itemIndices));
	}
	events.push('read');
	expect(forms).toHaveLength(100);
	expect(events).toEqual(['other work', 'read']);
});
