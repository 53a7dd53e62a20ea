import { Progress } from '../../../nodes/core/run/progress';
import { NodeRun } from '../../../nodes/core/run/nodeRun';
import { serviceContext } from '../../../testkit/n8n/serviceContext';
import { systemTime } from '../../../testkit/time/leapingTime';

const WHO = 'Audio editing: A Node (execution 7): ';

function setUp(total: number) {
	const { context, infos } = serviceContext({});
	return { infos, batch: new Progress(new NodeRun(context), ['submitted', 'edits'], total) };
}

it('names what has failed, the last first, and ten of them', async () => {
	const { batch, infos } = setUp(30);
	await systemTime.sleep(60_000);
	batch.failed(0, 'a.mp3');
	for (let item = 1; item < 14; item++) batch.failed(item, `${item}.mp3`);
	batch.failed(14, '');
	batch.failed(13, 'again.mp3');
	await systemTime.sleep(60_000);
	batch.moved(15, 'done');
	expect(infos).toEqual([
		`${WHO}0 of 30 edits submitted after 60 s (1 failed); failed: a.mp3`,
		`${WHO}1 of 30 edits submitted after 120 s, about 28 min left (15 failed); failed: item 14, 13.mp3, 12.mp3, 11.mp3, 10.mp3, 9.mp3, 8.mp3, 7.mp3, 6.mp3, 5.mp3 and 5 more`,
	]);
});

it('does not take what was skipped or has failed for a sign of how fast the rest is', async () => {
	const { batch, infos } = setUp(10);
	for (let item = 0; item < 5; item++) batch.moved(item, 'skipped');
	await systemTime.sleep(60_000);
	batch.moved(5, 'done');
	expect(infos).toEqual([`${WHO}1 of 10 edits submitted after 60 s, about 4 min left (5 skipped)`]);
});
