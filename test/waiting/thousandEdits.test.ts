import { RequestBudget } from '../../waiting/budget';
import { DEFAULT_POLL_RULES } from '../../waiting/schedule';
import { waitForEdits } from '../../waiting/waitForEdits';
import { SimulatedService, type Timeline } from '../support/simulatedService';
import { VirtualTime } from '../support/virtualTime';

it('stays within 300 calls in any minute with 1,000 edits', async () => {
	const ids = Array.from({ length: 1_000 }, (_, n) => `edit-${n}`);
	const timelines = Object.fromEntries(ids.map((id) => [id, [[300, 'SUCCESS']] as Timeline]));
	const time = new VirtualTime();
	const service = new SimulatedService(time, timelines);
	const reports = await time.run(
		waitForEdits(
			ids.map((editId) => ({ editId })),
			DEFAULT_POLL_RULES,
			{
				time,
				getEdit: service.getEdit,
				budget: new RequestBudget({ callsPerMinute: 300, burst: 60 }),
			},
		),
	);
	expect(reports.filter(({ end }) => end === 'succeeded')).toHaveLength(1_000);
	expect(service.busiestMinute()).toBeLessThanOrEqual(300);
});
