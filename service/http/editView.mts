import type { ServiceContext } from '../context.mts';
import type { Job, JobOutcome } from '../jobs/job.mts';
import { readTexts, TEXTS_FILE_NAME } from '../text/textsFile.mts';
import { downloadLink } from './downloadLinks.mts';

const MINUTE_MS = 60_000;

/** `result` of a finished edit, spec "result fields", with fresh links. */
export async function resultOf(job: Job, outcome: JobOutcome, context: ServiceContext) {
	const { links, baseUrls, settings, room } = context;
	const lifetimeMs = settings.downloadLinkMinutes * MINUTE_MS;
	const link = (fileName: string) =>
		downloadLink(links, baseUrls[0], { jobId: job.id, fileName }, lifetimeMs);
	const texts = await readTexts(room.files.resultPath(job.id, TEXTS_FILE_NAME));
	return {
		video: job.request.config.video,
		filename: outcome.fileName,
		download_url: outcome.deliveredUrl ?? link(outcome.fileName),
		statistics: outcome.statistics,
		transcription: texts?.transcription ?? null,
		summarization: texts?.summarization ?? null,
		social_content: texts?.social_content ?? [],
		merged_audio_url: outcome.mergedFileNames.map(link),
		timestamps_markers_urls: outcome.markerFileNames.map(link),
		waveform_result: [],
	};
}

/** The response of GET /v2/edits/{edit_id}, spec "Edit": no result before SUCCESS. */
export async function editOf(job: Job, context: ServiceContext) {
	const edit = { task_id: job.id, status: job.status };
	if (job.outcome === null) return edit;
	return { ...edit, result: await resultOf(job, job.outcome, context) };
}
