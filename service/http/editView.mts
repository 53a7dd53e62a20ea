import type { LocalSettings } from '../shared/contract.mts';
import { urlWithoutSecrets } from '../shared/log.mts';
import type { ServiceContext } from './context.mts';
import { waitsForReview, type StoredEdit, type EditOutcome } from '../store/edit.mts';
import { NO_TEXTS, TEXTS_FILE_NAME } from '../text/textsFile.mts';
import { downloadLink } from './downloadLinks.mts';
import { reviewJson } from './review/reviewLinks.mts';

const MINUTE_MS = 60_000;

/** Returns `result` of a finished edit without its texts (api.md#result), with new signed URLs. */
export async function resultOf(edit: StoredEdit, outcome: EditOutcome, context: ServiceContext) {
	const { links, baseUrls, settings, tools } = context;
	const lifetimeMs = settings.downloadLinkMinutes * MINUTE_MS;
	const { files, clock } = tools;
	const link = (fileName: string) => {
		const file = { editId: edit.id, run: outcome.run, fileName };
		return downloadLink({ files, links, clock }, baseUrls[0], file, lifetimeMs);
	};
	const uncut = await Promise.all(outcome.uncutFileNames.map(link));
	return {
		video: edit.request.config.video,
		filename: outcome.fileName,
		download_url: outcome.deliveredUrl ?? (await link(outcome.fileName)),
		statistics: outcome.statistics,
		merged_audio_url: await Promise.all(outcome.mergedFileNames.map(link)),
		...(uncut.length > 0 && { audio_for_edl_urls: uncut }),
		timestamps_markers_urls: await Promise.all(outcome.markerFileNames.map(link)),
		waveform_result: [],
		duration_before_seconds: outcome.durationBeforeSeconds,
		duration_after_seconds: outcome.durationAfterSeconds,
		silences_saved_seconds: outcome.silencesSavedSeconds,
		...(outcome.loudness && {
			loudness_before_lufs: outcome.loudness.beforeLufs,
			loudness_after_lufs: outcome.loudness.afterLufs,
		}),
		...(outcome.wordCheck && { word_check: outcome.wordCheck }),
		...(outcome.noiseLoweredDb > 0 && {
			noise_reduction_db: Math.round(outcome.noiseLoweredDb * 10) / 10,
		}),
		...(edit.review?.approvedBy && { approved_by: edit.review.approvedBy }),
		edited_by: 'local',
		...(outcome.notes.length > 0 && { notes: outcome.notes }),
	};
}

/**
 * Returns the JSON response of GET /v2/edits/{edit_id} (api.md#read-an-edit). Before the end,
 * `result` says how much of the speech is recognized; that of FAILURE has the reason. Both are where other services
 * have them (api.md#beyond-this-page).
 */
export async function editJson(edit: StoredEdit, context: ServiceContext): Promise<string> {
	const local = withoutSignatures(edit.request.local);
	const status = JSON.stringify({
		task_id: edit.id,
		status: edit.status,
		...(Object.keys(local).length > 0 && { local }),
	});
	if (edit.outcome === null) {
		const message = edit.failureReason;
		if (waitsForReview(edit)) return joined(status, JSON.stringify(reviewJson(edit, context)));
		if (message !== null) return joined(status, JSON.stringify({ result: { message } }));
		const progress = progressOf(edit);
		return progress === undefined ? status : joined(status, JSON.stringify({ result: progress }));
	}
	const texts = await textsJson(edit, edit.outcome, context);
	const result = joined(JSON.stringify(await resultOf(edit, edit.outcome, context)), texts);
	return joined(status, `{"result":${result}}`);
}

/** Settings as an answer shows them: the signatures of links are nobody else's business. */
function withoutSignatures({ intro, outro, inserts, ...local }: LocalSettings): LocalSettings {
	return {
		...local,
		...(intro !== undefined && { intro: urlWithoutSecrets(intro) }),
		...(outro !== undefined && { outro: urlWithoutSecrets(outro) }),
		...(inserts && {
			inserts: inserts.map((one) => ({ ...one, url: urlWithoutSecrets(one.url) })),
		}),
	};
}

/** How far an edit is, in the form in which services send it; undefined unless its speech is being recognized. */
function progressOf({ recognizedPercent: done }: StoredEdit) {
	return done === null ? undefined : { done, total: 100, step: 'recognizing speech' };
}

/**
 * Returns the texts of an edit as the JSON text of an object, unparsed: nothing here needs the
 * content, and parsing a long transcript takes 0.1 s.
 */
async function textsJson(edit: StoredEdit, { run }: EditOutcome, { tools }: ServiceContext) {
	// Most edits have none, and object storage charges for each request.
	if (!edit.request.config.transcription) return NO_TEXTS;
	const texts = await tools.files.readResult({ editId: edit.id, run }, TEXTS_FILE_NAME);
	return texts ?? NO_TEXTS;
}

/** Merges two JSON objects as text. */
function joined(first: string, second: string): string {
	return `${first.slice(0, -1)},${second.slice(1)}`;
}
