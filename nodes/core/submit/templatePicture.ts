import { type EditConfig, editConfigSchema } from '../../../api/contract';
import type { Configuration } from '../config/readConfiguration';
import { operationError } from '../errors/errors';
import type { SubmissionKey } from '../ledger/submissionLedger';
import type { NodeRun, TemplatePicture } from '../run/nodeRun';
import type { RequestHint } from './prepareEdit';

/**
 * Compares what happens to a video's picture with the template that its new edit names: not every service lets the
 * options override the template. The template is read once in a run, and only if the recording has a video.
 *
 * @returns hints about the videos
 * @throws NodeOperationError if the picture is to be kept, and the template makes an audio file
 */
export async function checkTemplatePicture(
	run: NodeRun,
	submission: SubmissionKey,
	{ config, videos, templateId }: Configuration,
): Promise<RequestHint[]> {
	if (templateId === undefined || videos.length === 0) return [];
	const said = await templateSays(run, templateId);
	const refusal = config.video && said && refusalOf(said, config);
	if (refusal) {
		const { itemIndex } = submission;
		const [message, advice] = refusal;
		const description = `Not submitted, and not charged. ${advice}`;
		throw operationError(run.node, `${message} [item ${itemIndex}]`, { itemIndex, description });
	}
	const hint = hintOn(said, config);
	return hint === undefined
		? []
		: videos.map((file) => ({ file, message: `a video, and ${hint}` }));
}

/** Undefined if the service does not show it. Then the edit is created all the same. */
async function templateSays(
	run: NodeRun,
	templateId: number,
): Promise<TemplatePicture | undefined> {
	const known = run.templates.get(templateId) ?? readTemplate(run, templateId);
	run.templates.set(templateId, known);
	return await known;
}

async function readTemplate(
	run: NodeRun,
	templateId: number,
): Promise<TemplatePicture | undefined> {
	const { client } = await run.openService();
	const template = await client.getConfiguration(templateId);
	if (!template.ok || Object.keys(template.value.settings).length === 0) return undefined;
	const { video, export_format: format } = template.value.settings;
	const { shape } = editConfigSchema;
	return {
		video: shape.video.safeParse(video).data,
		exportFormat: shape.export_format.safeParse(format).data,
	};
}

const TO_SOUND = "To get an audio file, set 'Picture' to 'Sound Only'.";

/** Why a template cannot keep a picture, and what to do. */
function refusalOf(
	{ video, exportFormat: format = 'auto' }: TemplatePicture,
	config: EditConfig,
): [message: string, advice: string] | undefined {
	if (video === false) {
		const advice = `${TO_SOUND} To get a video, choose a template that edits videos.`;
		return ["The template does not edit videos, but 'Picture' is set to 'Keep'", advice];
	}
	// A video keeps its container, whatever the format says.
	if (video === true || format === 'auto') return undefined;
	// An option that says so has the last word where the template has not.
	if (config.export_format !== undefined) return undefined;
	const message = `The template makes an audio file ('export_format' is '${format}'), but 'Picture' is set to 'Keep'`;
	return [message, `${TO_SOUND} To get a video, choose a template without an audio format.`];
}

const IF_OVERRIDDEN = 'If your service lets the template override options,';

/** What will happen to the picture, if that is not certain. */
function hintOn(said: TemplatePicture | undefined, { video }: EditConfig): string | undefined {
	if (!video) {
		if (!said?.video) return undefined;
		return `'Picture' is set to 'Sound Only', but the template edits videos. ${IF_OVERRIDDEN} a video comes back.`;
	}
	if (said === undefined) {
		return `'Picture' is set to 'Keep', but the service does not show whether the template edits videos. ${IF_OVERRIDDEN} and the template does not edit videos, only the sound comes back.`;
	}
	if (said.video) return undefined;
	return `'Picture' is set to 'Keep', but the template does not say whether it edits videos. ${IF_OVERRIDDEN} only the sound comes back.`;
}
