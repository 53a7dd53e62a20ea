import { readSources } from '../core/upload/source';
import { recordingRequestOf } from '../core/submit/prepareEdit';
import type { RecordingKey } from '../core/skip/memory/recordingMemory';
import { RememberedRecordings } from '../core/skip/rememberedRecordings';
import { type SkipChoice, type SkipRule, skipRuleFor } from '../core/skip/skipRule';
import type { NewRecording, RecordingForm } from './readRecording';
import type { Recordings } from './recordings';

/**
 * Looks up the recordings of all items in n8n's memory, before the first is uploaded: what to do with one
 * that failed depends on the others. What fails for an item is noted as that item's.
 */
export async function lookUpRecordings(
	recordings: Recordings,
	forms: readonly RecordingForm[],
): Promise<void> {
	const { run, rules } = recordings;
	const known: RecordingKey[] = [];
	for (const { itemIndex, recording } of forms) {
		if (run.isStopped) return;
		if ('editId' in recording) {
			if (recording.skip) known.push(recording.skip);
			continue;
		}
		if (recording.skip === undefined) continue;
		try {
			const rule = await ruleFor(recordings, itemIndex, recording, recording.skip);
			rules.set(itemIndex, { rule });
			known.push(rule);
		} catch (error) {
			rules.set(itemIndex, { error });
		}
	}
	if (known.length === 0) return;
	// A recording must not stay uncertain because the credential cannot be used.
	await run.openService();
	try {
		recordings.remembered = await RememberedRecordings.open(run, known);
	} catch (error) {
		recordings.lookUpFailure = error;
	}
}

async function ruleFor(
	{ run, sources }: Recordings,
	itemIndex: number,
	{ source, configuration }: NewRecording,
	choice: SkipChoice,
): Promise<SkipRule> {
	const request = recordingRequestOf(configuration);
	if ('urls' in source) return await skipRuleFor(choice, source, request);
	const files = await readSources(run, itemIndex, source.upload);
	sources.set(itemIndex, files);
	return await skipRuleFor(choice, { files }, request);
}
