import { groupedFormats } from '../../../testkit/n8n/grouped';
import { type Case, NAME, SUBMITS, answering, fileItem, lostFileItem, urlItem } from './fileFirst';

/** Failures before anything is sent. */
export const FORM_CASES: Record<string, Case> = {
	'more edits than allowed': {
		nodes: SUBMITS,
		parameters: { mostEdits: 0 },
		reason: /^: 'Most Edits per Execution' is 0, and the items need (1 edit|2 edits)/,
	},
	'a credit that is too low': {
		nodes: SUBMITS,
		fault: answering(({ path }) => path === '/v1/account', {
			body: { credit: { total: 1, subscription: 1, payg: 0 }, meta: {} },
		}),
		parameters: { stopBelowCredit: 5 },
		reason: /^: the account's credit, 1, is below 5/,
	},
	'options that contradict each other': {
		nodes: SUBMITS,
		parameters: { target_lufs: -16, normalize: false },
		reason: /^: 'Target Loudness \(LUFS\)' is set, but 'Normalize Loudness \(Volume\)' is off/,
	},
	'a choice that does not exist': {
		nodes: SUBMITS,
		parameters: { export_format: '={{ "mp5" }}' },
		reason: /^: 'Export Format \(MP3, WAV …\)' has no option 'mp5'/,
	},
	'an option that is not a number': {
		nodes: ['waitForEdit'],
		parameters: { maximumWaitMinutes: '={{ "soon" }}' },
		reason: /^: 'Maximum Wait \(Minutes\)' must be a number of 0 or more, not "soon"/,
		isOfAll: true,
	},
	'a value that identifies nothing': {
		nodes: SUBMITS,
		parameters: { skipEdited: 'value', skipValue: '={{ "" }}' },
		reason: /^: 'Your Own Value' is empty/,
	},
	'a way to recognize recordings that the item does not have': {
		nodes: SUBMITS,
		parameters: { skipEdited: 'nameAndSize', recordingFrom: 'url' },
		item: urlItem,
		reason:
			/^: 'Skip Recordings Already Edited' (found no name and size|is set to 'By File Name and Size')/,
	},
	'an item without files': {
		nodes: ['audioEditing', 'upload'],
		item: async () => ({ json: { sourceFileName: NAME } }),
		reason: /^: the item has no files/,
	},
	'an item with its file in another field': {
		nodes: ['audioEditing', 'upload'],
		parameters: { binaryPropertyName: 'guest' },
		reason: /^: the item has no file in the field 'guest', but in data/,
	},
	'several outputs that the edit cannot have': {
		nodes: ['audioEditing'],
		parameters: {
			...groupedFormats(['subtitlesSrt', 'transcriptTxt', 'chaptersJson']),
			transcription: false,
			summarize: false,
			export_timestamps: false,
			download: ['edited', 'markers', 'merged'],
		},
		reason: /^: .* needs? .*: all are off/,
	},
	'an empty file': {
		nodes: ['audioEditing', 'upload'],
		item: () => fileItem({ content: '' }),
		reason: /^ is empty/,
	},
	'a file that is no recording': {
		nodes: ['audioEditing', 'upload'],
		item: () => fileItem({ mimeType: 'application/pdf' }),
		reason: /^ is not audio or video but application\/pdf/,
	},
	'a file that n8n has deleted': {
		nodes: ['audioEditing', 'upload'],
		item: lostFileItem,
		reason: /^: could not upload the file: n8n can no longer read its copy of 'rec-150\.mp3'/,
	},
	'a content type that is none': {
		nodes: ['audioEditing', 'upload'],
		parameters: { contentType: 'sound' },
		reason: /^: 'Content Type' is not a media type: "sound"/,
	},
	'a link to a page': {
		nodes: ['createEdit'],
		item: async () => ({
			json: { fileUrl: 'https://www.dropbox.com/sh/abc/x?dl=0', sourceFileName: NAME },
		}),
		reason: /^: .*Dropbox/,
	},
	'an output that the edit cannot have': {
		nodes: ['audioEditing'],
		parameters: { alsoReturn: ['subtitles'], transcription: false },
		reason: /^: '.*' needs? '.*', which is off/,
	},
	'a field for the edited file that is none': {
		nodes: ['audioEditing'],
		parameters: { outputField: 'constructor' },
		reason: /^: 'Put Output File in Field' is not a field name/,
	},
	'chapters that are no JSON': {
		nodes: ['audioEditing', 'getResult'],
		parameters: { embedChapters: 'json', chaptersJson: '={{ "[" }}' },
		reason: /^: 'Chapters to Embed \(JSON\)' is not valid JSON/,
	},
	'an option that the API does not take': {
		nodes: SUBMITS,
		parameters: { normalize: true, target_lufs: 5 },
		reason: /^: an option cannot be used: 'Target Loudness \(LUFS\)'/,
	},
	'an option that is empty': {
		nodes: SUBMITS,
		parameters: { target_lufs: '={{ undefined }}' },
		reason: /^: 'Target Loudness \(LUFS\)' is empty/,
	},
	'additional keys that are no JSON': {
		nodes: SUBMITS,
		parameters: { additionalKeys: '[1]' },
		reason: /^: 'Additional Keys \(JSON\)' is not a JSON object/,
	},
	'a file that would be deleted and is not fetched': {
		nodes: ['audioEditing'],
		parameters: { deleteWhenFetched: true, download: [] },
		reason: /^: 'Delete Edit When Fetched' would delete the edited file/,
	},
	'a tag that is no number': {
		nodes: ['audioEditing', 'getResult'],
		parameters: { writeTags: { season: '={{ "two" }}' } },
		reason: /^: 'Season Number' must be a whole number/,
	},
	'a language that is none': {
		nodes: ['audioEditing', 'getResult'],
		parameters: { writeTags: { language: 'Klingon language' } },
		reason: /^: 'Language' is not a known code/,
	},
	'a cover that is no URL': {
		nodes: ['audioEditing', 'getResult'],
		parameters: { writeTags: { coverUrl: 'cover.jpg' } },
		reason: /^: 'Cover URL' is not an http or https URL/,
	},
	'a chapter without a title': {
		nodes: ['audioEditing', 'getResult'],
		parameters: { embedChapters: 'json', chaptersJson: '[{ "startTime": 5 }]' },
		reason: /^: chapter 1 in 'Chapters to Embed \(JSON\)' lacks a title/,
	},
	'a detail of the feed that is no URL': {
		nodes: ['audioEditing', 'getResult'],
		parameters: { alsoReturn: ['feed'], feed: ['feedItem'], feedItem: { imageUrl: 'cover.jpg' } },
		reason: /^: 'Image URL' is not an http or https URL/,
	},
	'a date that is none': {
		nodes: ['audioEditing', 'getResult'],
		parameters: { alsoReturn: ['feed'], feed: ['feedItem'], feedItem: { publishedAt: 'soon' } },
		reason: /^: 'Publish Date' is not a date in ISO 8601/,
	},
	'a date without a day': {
		nodes: ['audioEditing', 'getResult'],
		parameters: {
			alsoReturn: ['feed'],
			feed: ['feedItem'],
			feedItem: { publishedAt: '2026-03' },
		},
		reason: /^: 'Publish Date' has no day: 2026-03/,
	},
	'an ID that is none': {
		nodes: ['waitForEdit', 'getResult', 'delete'],
		parameters: { editId: '={{ "a/b" }}' },
		reason: /^: /,
	},
	'an expression that fails': {
		nodes: SUBMITS,
		parameters: { export_format: "={{ $('Missing').item.json.x }}" },
		reason: /^: referenced node doesn't exist/i,
	},
};
