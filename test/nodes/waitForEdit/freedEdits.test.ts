import { Client } from '../../../api/client';
import { collectGarbage } from '../../../testkit/measure/collectGarbage';
import { inStatus } from '../../../testkit/n8n/waitedEdits';
import { fileItem, useRecordingService } from '../../../testkit/service/recordingService';
import { runOne } from '../../../testkit/service/useService';

const service = useRecordingService();
const { getEditOnce } = Client.prototype;

beforeEach(() => Object.assign(service.seconds, { 'slow.wav': 100 }));

afterEach(() => {
	Client.prototype.getEditOnce = getEditOnce;
});

/** Returns the IDs of the finished edits that somebody still holds when another edit has finished. */
function watchFinishedEdits(): Set<string> {
	const finished = new Map<string, WeakRef<object>>();
	const held = new Set<string>();
	// A spy of jest would hold what it returns.
	Client.prototype.getEditOnce = async function (editId) {
		const read = await getEditOnce.call(this, editId);
		if (!read.ok || read.value.result === undefined) return read;
		await collectGarbage();
		for (const [id, edit] of finished) if (edit.deref() !== undefined) held.add(id);
		finished.set(String(editId), new WeakRef(read.value));
		return read;
	};
	return held;
}

it('Audio Editing lets an edit go when its item is done', async () => {
	const held = watchFinishedEdits();
	const { out, error } = await service.edit([await fileItem('a.wav'), await fileItem('slow.wav')]);
	expect(error).toBeUndefined();
	expect(out).toHaveLength(2);
	expect([...held]).toEqual([]);
});

it('Wait For Edit lets an edit go when it has ended', async () => {
	const held = watchFinishedEdits();
	service.fault = ({ path }, number) =>
		inStatus(path.endsWith('/first') || number > 5 ? 'SUCCESS' : 'EDITING');
	const items = ['first', 'last'].map((editId) => ({ json: { editId } }));
	const { out } = await runOne(service, 'waitForEdit', {}, items);
	expect(out).toHaveLength(2);
	expect([...held]).toEqual([]);
});
