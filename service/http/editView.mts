import type { ServiceContext } from '../context.mts';
import type { Job, JobOutcome } from '../jobs/job.mts';

const MINUTE_MS = 60_000;

/** The path of a result file, percent-encoded. */
function downloadPath(jobId: string, fileName: string): string {
	return `/downloads/${jobId}/${encodeURIComponent(fileName)}`;
}

/** A fresh signed link to a result file. */
function downloadLink(jobId: string, fileName: string, context: ServiceContext): string {
	const lifetimeMs = context.settings.downloadLinkMinutes * MINUTE_MS;
	const path = downloadPath(jobId, fileName);
	return context.baseUrls[0] + context.links.sign('GET', path, lifetimeMs);
}

/** `result` of a finished edit, spec "result fields", with fresh links. */
export function resultOf(job: Job, outcome: JobOutcome, context: ServiceContext) {
	const link = (fileName: string) => downloadLink(job.id, fileName, context);
	return {
		video: job.request.config.video,
		filename: outcome.fileName,
		download_url: outcome.deliveredUrl ?? link(outcome.fileName),
		statistics: outcome.statistics,
		transcription: null,
		summarization: null,
		social_content: [],
		merged_audio_url: outcome.mergedFileNames.map(link),
		timestamps_markers_urls: outcome.markerFileNames.map(link),
		waveform_result: [],
	};
}

/** The response of GET /v2/edits/{edit_id}, spec "Edit": no result before SUCCESS. */
export function editOf(job: Job, context: ServiceContext) {
	const edit = { task_id: job.id, status: job.status };
	return job.outcome === null ? edit : { ...edit, result: resultOf(job, job.outcome, context) };
}
