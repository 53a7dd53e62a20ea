import type { ServiceContext } from './context.mts';
import type { StoredEdit, EditOutcome } from '../store/edit.mts';
import { readTextsJson, TEXTS_FILE_NAME } from '../text/textsFile.mts';
import { downloadLink } from './downloadLinks.mts';

const MINUTE_MS = 60_000;

/** `result` of a finished edit without its texts, spec "result fields", with fresh links. */
export function resultOf(job: StoredEdit, outcome: EditOutcome, context: ServiceContext) {
	const { links, baseUrls, settings } = context;
	const lifetimeMs = settings.downloadLinkMinutes * MINUTE_MS;
	const link = (fileName: string) =>
		downloadLink(links, baseUrls[0], { jobId: job.id, fileName }, lifetimeMs);
	return {
		video: job.request.config.video,
		filename: outcome.fileName,
		download_url: outcome.deliveredUrl ?? link(outcome.fileName),
		statistics: outcome.statistics,
		merged_audio_url: outcome.mergedFileNames.map(link),
		timestamps_markers_urls: outcome.markerFileNames.map(link),
		waveform_result: [],
	};
}

/** The response of GET /v2/edits/{edit_id}, spec "Edit", as JSON: no result before SUCCESS. */
export async function editJson(job: StoredEdit, context: ServiceContext): Promise<string> {
	const edit = JSON.stringify({ task_id: job.id, status: job.status });
	if (job.outcome === null) return edit;
	const textsPath = context.workbench.files.resultPath(job.id, TEXTS_FILE_NAME);
	const texts = await readTextsJson(textsPath);
	const result = joined(JSON.stringify(resultOf(job, job.outcome, context)), texts);
	return joined(edit, `{"result":${result}}`);
}

/** Two objects in JSON as one. */
function joined(first: string, second: string): string {
	return `${first.slice(0, -1)},${second.slice(1)}`;
}
