import { groupedFormats } from '../../../testkit/n8n/grouped';
import { itemsOf, storeFile } from '../../../testkit/n8n/n8nEngine';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import { makeRecording } from '../../../testkit/media/recording';
import { useLeapingService } from '../../../testkit/service/leapingService';

const service = useLeapingService();

it('the passport of an edit by the local service says what its result states', async () => {
	const recording = makeRecording({ partsSeconds: [4, 6, 4, 6, 4] });
	const data = await storeFile(recording, 'talk.wav', 'audio/wav');
	const parameters = { preset: 'fullEdit', ...groupedFormats(['passport']), returnAs: 'json' };
	const items = [{ json: {}, binary: { data } }];
	const run = await runChain(service, chain({ type: 'audioEditing', parameters }), items);
	expect(run.data.resultData.error).toBeUndefined();
	const [{ json }] = itemsOf(run, 'audioEditing');
	const { edit } = json as { edit: { formats: { passport: { sentence: string } } } };
	const { sentence, ...figures } = edit.formats.passport;
	expect(sentence).toMatch(
		/^[\d.]+ s of pauses.* removed, loudness leveled from −\d+(\.\d)? to −16(\.\d)? LUFS\. Shortened from 00:24 to 00:1\d\. Nothing was generated\.$/,
	);
	expect(figures).not.toHaveProperty('noiseReducedByUpToDb');
	expect(figures).toMatchObject({
		durationBeforeSeconds: 24,
		nothingGenerated: true,
		cuts: { longSilences: 2 },
	});
});
