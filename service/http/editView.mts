import type { ServiceContext } from './context.mts';
import type { StoredEdit, EditOutcome } from '../store/edit.mts';
import { readTextsJson, TEXTS_FILE_NAME } from '../text/textsFile.mts';
import { downloadLink } from './downloadLinks.mts';

const MINUTE_MS = 60_000;

/** Returns `result` of a finished edit without its texts, spec "result fields", with new signed URLs. */
export function resultOf(edit: StoredEdit, outcome: EditOutcome, context: ServiceContext) {
	const { links, baseUrls, settings } = context;
	const lifetimeMs = settings.downloadLinkMinutes * MINUTE_MS;
	const link = (fileName: string) =>
		downloadLink(links, baseUrls[0], { editId: edit.id, fileName }, lifetimeMs);
	return {
		video: edit.request.config.video,
		filename: outcome.fileName,
		download_url: outcome.deliveredUrl ?? link(outcome.fileName),
		statistics: outcome.statistics,
		merged_audio_url: outcome.mergedFileNames.map(link),
		timestamps_markers_urls: outcome.markerFileNames.map(link),
		waveform_result: [],
	};
}

/** Returns the JSON response of GET /v2/edits/{edit_id}, spec "Edit". No `result` before SUCCESS. */
export async function editJson(edit: StoredEdit, context: ServiceContext): Promise<string> {
	const status = JSON.stringify({ task_id: edit.id, status: edit.status });
	if (edit.outcome === null) return status;
	const textsPath = context.workbench.files.resultPath(edit.id, TEXTS_FILE_NAME);
	const texts = await readTextsJson(textsPath);
	const result = joined(JSON.stringify(resultOf(edit, edit.outcome, context)), texts);
	return joined(status, `{"result":${result}}`);
}

/** Merges two JSON objects as text. */
function joined(first: string, second: string): string {
	return `${first.slice(0, -1)},${second.slice(1)}`;
}
