/*
 * What is on the wire: a plain schema for each response of the interface. docs/openapi.json is generated from them.
 * The nodes read with the tolerant schemas of api/contract instead, so these do not ship.
 */
import { z } from 'zod';

import { STATISTICS_KEYS } from '../../api/contract/editResult';
import { localSettingsSchema } from '../../api/contract/localSettings';
import { EDIT_STATUSES } from '../../api/contract/statuses';
import { RATE_LIMIT_ERROR_CODE } from '../../api/contract/wireErrors';
import { CutsReview, DoubtfulCuts } from './cuts';

const integer = z.number().int();
const freeKeys = z.record(z.unknown());
const markdown = z.string().describe('Markdown');

const seconds = z.number().describe('Seconds from the start of the edited file');
const LOCAL_ONLY = 'a hosted service does not have this key';

const timeRange = z.object({ id: integer, start: seconds, end: seconds });
const spokenText = timeRange.extend({ text: z.string() });

const Transcription = z.object({
	paragraphs: z.array(spokenText),
	transcription: z.object({
		words: z.array(spokenText),
		paragraphs: z.array(
			timeRange.extend({
				speaker: z.string().describe('A label'),
				track: integer
					.optional()
					.describe(`The number of the speaker's track, from 0; ${LOCAL_ONLY}`),
			}),
		),
	}),
	speakers_guessed: z
		.boolean()
		.optional()
		.describe(`True if the speakers of one track were told apart by their voices; ${LOCAL_ONLY}`),
});

const Summarization = z
	.object({
		title: z.string(),
		summary: z.string(),
		chapters: z.array(z.object({ start: seconds, title: z.string() })),
		summaries: z.array(z.string()),
		key_learnings: z.string().describe('A Markdown list'),
		summary_of_summary: z.string(),
		episode_description: markdown,
	})
	.partial();

const SocialContent = z.object({
	newsletter: markdown,
	twitter_thread: z.string().describe('Posts, each between `<tweet>` and `</tweet>`'),
	linkedin: z.string().describe('Plain text'),
});

const CutOfWords = z.object({
	kind: z.string().describe('Of the cut, such as `filler` or `long_silence`'),
	start: seconds.describe('Seconds from the start of the source'),
	end: seconds.describe('Seconds from the start of the source'),
	words: z.array(z.string()).describe('What was heard there'),
});

const WordCheck = z.object({
	cuts: integer.describe('Cuts that were found'),
	checked: integer.describe('Those that hold speech, around which the recording was heard again'),
	restored: z.array(CutOfWords).describe('Those that took a word, and were not made'),
	doubtful: z.array(CutOfWords).describe('Those that may have taken a word; they were made'),
});

const ofSource = z.number().describe('Seconds from the start of the source');

const MissingWord = z.object({
	text: z.string(),
	start: ofSource,
	end: ofSource,
	edited_at: z.number().describe('Where it would be in the edited file, in seconds'),
});

const WordCheckJob = z.object({
	id: z.string(),
	status: z.enum(EDIT_STATUSES),
	recognized_percent: integer.optional().describe('While speech is being recognized'),
	message: z.string().optional().describe('Why the check failed'),
	result: z
		.object({
			cuts: z.array(z.object({ start: ofSource, end: ofSource })).describe('What was cut out'),
			checked: integer.describe('How many of these places hold speech'),
			missing: z.array(MissingWord).describe('Words that are missing'),
			doubtful: z.array(MissingWord).describe('Words that may be missing'),
		})
		.optional()
		.describe('With the status SUCCESS'),
});

const EditResult = z
	.object({
		video: z.boolean().describe('Whether the edit was one of a video'),
		filename: z.string().describe('Name of the edited file'),
		download_url: z
			.string()
			.describe("Time-limited link to the edited file; with `signed_url`, to the client's storage"),
		statistics: z.record(z.enum(STATISTICS_KEYS), integer).describe('Number of cuts of each kind'),
		transcription: Transcription.nullable(),
		summarization: Summarization.nullable(),
		social_content: z
			.union([SocialContent, z.array(z.unknown()).max(0)])
			.describe('An empty array if not requested'),
		merged_audio_url: z.array(z.string()),
		timestamps_markers_urls: z.array(z.string()),
		waveform_result: z.array(z.unknown()),
		duration_before_seconds: z
			.number()
			.describe(`Length of the longest file, in seconds; ${LOCAL_ONLY}`),
		duration_after_seconds: z
			.number()
			.describe(`Length of the edited file, in seconds; ${LOCAL_ONLY}`),
		silences_saved_seconds: z
			.number()
			.describe(`By how much \`long_silences\` shortened the recording, in seconds; ${LOCAL_ONLY}`),
		loudness_before_lufs: z.number().describe(`Only if it was leveled; ${LOCAL_ONLY}`),
		loudness_after_lufs: z.number().describe(`Only if it was leveled; ${LOCAL_ONLY}`),
		noise_reduction_db: z
			.number()
			.describe(`By no more than this noise was lowered, in dB; ${LOCAL_ONLY}`),
		word_check: WordCheck.describe(
			`What a check of the cuts by words found; ${LOCAL_ONLY}, with \`local.word_check\``,
		),
		approved_by: z.string().describe(`Who approved the cuts, if a person did; ${LOCAL_ONLY}`),
		edited_by: z.literal('local').describe(LOCAL_ONLY),
		notes: z.array(z.string()).describe(`How the result differs from the request; ${LOCAL_ONLY}`),
	})
	.partial()
	.describe('Which keys there are depends on the configuration');

const EditProgress = z
	.object({
		done: integer.describe('Percent of the speech that is recognized'),
		total: z.literal(100),
		step: z.literal('recognizing speech'),
	})
	.describe(`While an edit recognizes speech; ${LOCAL_ONLY}`);

const ConfigurationEntry = z.object({ id: integer, name: z.string(), upload_type: z.string() });

const TemplateTask = z.object({
	id: z.string(),
	created_at: z.string().datetime(),
	status: z.string(),
	results: freeKeys,
	length_audio: integer,
});

const ValidationDetail = z.object({
	loc: z.array(z.union([z.string(), integer])).describe('Where in the request'),
	msg: z.string(),
	type: z.string(),
	input: z.unknown(),
	ctx: freeKeys.optional(),
});

const message = z.string().describe('`detail` as one text, for clients that show only this key');

/** The schema of each body that the service sends, by its name in docs/openapi.json. */
export const WIRE = {
	Upload: z.object({
		signedUrl: z.string().describe('Accepts PUT of the file, and nothing else'),
	}),
	EditCreation: z.object({ id: z.string().describe('The ID of the edit') }),
	Edit: z.object({
		task_id: z.string().describe('The ID of the edit'),
		status: z.enum(EDIT_STATUSES),
		local: localSettingsSchema.optional(),
		result: z.union([EditProgress, EditResult]).optional(),
	}),
	EditResult,
	EditProgress,
	Transcription,
	Summarization,
	SocialContent,
	Account: z.object({
		credit: z.object({ total: integer, subscription: integer, payg: integer }),
		meta: freeKeys,
	}),
	ConfigurationEntry,
	ConfigurationsResponse: z.object({ configurations: z.array(ConfigurationEntry) }),
	ConfigurationDetail: ConfigurationEntry.extend({ settings: freeKeys }),
	TemplateTask,
	TemplateTasksResponse: z.object({
		tasks: z.array(TemplateTask).describe('Those of the last 7 days, newest first'),
	}),
	CutsReview,
	DoubtfulCuts,
	WordCheckJob,
	Refusal: z.object({ detail: z.string(), message }),
	ValidationError: z.object({ detail: z.array(ValidationDetail), message: message.optional() }),
	RateLimitError: z.object({
		error: z.object({ code: z.literal(RATE_LIMIT_ERROR_CODE), message: z.string() }),
	}),
};
