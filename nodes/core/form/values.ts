import type { EditConfigKey } from '../../../api/contract';

/*
 * The fields of all our forms, as `readForm` returns those that a form shows. It has checked switches and lists; what
 * a text, a number or JSON has, is as a person entered it or an expression returned it. A test compares this with the
 * forms.
 */

/** What a form says for one item. */
export interface Form {
	readonly itemIndex: number;
	readonly fields: Fields;
	/** The options that were added, of all groups. */
	readonly options: Options;
}

/** The fields beside the groups of options. */
export interface Fields {
	readonly alsoReturn?: readonly string[];
	readonly binaryPropertyName?: unknown;
	readonly chapters?: readonly string[];
	readonly configJson?: unknown;
	readonly configure?: 'fields' | 'template' | 'json';
	readonly decidedBy?: unknown;
	readonly decisions?: unknown;
	readonly download?: readonly string[];
	readonly editId?: unknown;
	readonly feed?: readonly string[];
	readonly feedExtras?: FeedExtraFields;
	readonly feedItem?: FeedItemFields;
	readonly fieldsToInclude?: readonly string[];
	readonly fileUrls?: unknown;
	readonly itemsAre?: 'recordings' | 'tracks';
	readonly limit?: unknown;
	readonly namesApprover?: boolean;
	readonly operation?: string;
	readonly outcomes?: 'failure' | 'success' | 'both';
	readonly output?: 'simplified' | 'raw' | 'selected';
	readonly picture?: 'keep' | 'soundOnly';
	readonly preset?: string;
	readonly mostCuts?: unknown;
	readonly recordingFrom?: 'all' | 'file' | 'url';
	readonly resource?: string;
	readonly returnAll?: boolean;
	readonly returnAs?: 'automatic' | 'files' | 'json';
	readonly revision?: unknown;
	readonly showNotes?: readonly string[];
	readonly simplify?: boolean;
	readonly subtitles?: readonly string[];
	readonly templateId?: unknown;
	readonly transcript?: readonly string[];
}

/** The options, of all groups. Those that configure an edit have the names of their keys. */
export interface Options extends Readonly<Partial<Record<EditConfigKey | 'loudnessFor', unknown>>> {
	readonly additionalKeys?: unknown;
	readonly afterFailure?: 'once' | 'always' | 'skip';
	readonly chaptersJson?: unknown;
	readonly chaptersList?: { readonly chapter?: readonly ChapterRow[] };
	readonly contentType?: unknown;
	readonly cutSoundbites?: boolean;
	readonly deleteWhenFetched?: boolean;
	readonly download?: readonly string[];
	readonly embedChapters?: 'json' | 'list' | 'summary';
	readonly failBelow?: unknown;
	readonly fileName?: unknown;
	readonly firstPollDelaySeconds?: unknown;
	readonly ifCreditUnknown?: 'stop' | 'goOn';
	readonly ifUncertain?: 'fail' | 'skip' | 'submit';
	readonly inserts?: { readonly insert?: readonly InsertRow[] };
	readonly intro?: unknown;
	readonly jobType?: 'edit' | 'noise';
	readonly keepInputFiles?: boolean;
	readonly linkValidHours?: unknown;
	readonly maximumWaitMinutes?: unknown;
	readonly mostEdits?: unknown;
	readonly oneItemPerFile?: boolean;
	readonly outputField?: unknown;
	readonly outro?: unknown;
	readonly pendingNoticeMinutes?: unknown;
	readonly pollIntervalSeconds?: unknown;
	readonly previewMinutes?: unknown;
	readonly readEdit?: boolean;
	readonly sendPageLinks?: boolean;
	readonly simplify?: boolean;
	readonly skipEdited?: 'nameAndSize' | 'content' | 'url' | 'value';
	readonly skipValue?: unknown;
	readonly speakers?: { readonly speaker?: readonly SpeakerRow[] };
	readonly speakersFromTracks?: boolean;
	readonly startWithPast?: boolean;
	readonly stopBelowCredit?: unknown;
	readonly transcriptShows?: readonly string[];
	readonly transfer?: 'link' | 'upload';
	readonly transfersAtOnce?: unknown;
	readonly whenStopped?: 'delete' | 'leave';
	readonly whenTimeIsUp?: 'fail' | 'passOn' | 'secondOutput';
	readonly writeTags?: TagFields;
}

/** A row under 'Inserts'. */
interface InsertRow {
	readonly chapter?: unknown;
	readonly file?: unknown;
	readonly place?: 'chapter' | 'seconds';
	readonly seconds?: unknown;
}

/** The fields under 'Feed Item'. */
export interface FeedItemFields {
	readonly audioUrl?: unknown;
	readonly chaptersUrl?: unknown;
	readonly episodeNumber?: unknown;
	readonly episodeType?: 'bonus' | 'full' | 'trailer';
	readonly guid?: unknown;
	readonly imageUrl?: unknown;
	readonly isExplicit?: boolean;
	readonly pageUrl?: unknown;
	readonly publishedAt?: unknown;
	readonly seasonNumber?: unknown;
	readonly title?: unknown;
	readonly transcriptUrls?: unknown;
}

/** The fields under 'Feed Item: More'. */
export interface FeedExtraFields {
	readonly alternateFiles?: { readonly file?: readonly AlternateFileRow[] };
	readonly language?: unknown;
	readonly statePassport?: boolean;
}

/** A row under 'Alternate Files'. */
export interface AlternateFileRow {
	readonly sizeBytes?: unknown;
	readonly title?: unknown;
	readonly url?: unknown;
}

/** The fields under 'Write Tags'. */
export interface TagFields {
	readonly author?: unknown;
	readonly coverField?: unknown;
	readonly coverUrl?: unknown;
	readonly date?: unknown;
	readonly description?: unknown;
	readonly episodeNumber?: unknown;
	readonly existing?: 'keep' | 'overwrite' | 'remove';
	readonly fillFromSummary?: boolean;
	readonly language?: unknown;
	readonly season?: unknown;
	readonly show?: unknown;
	readonly title?: unknown;
}

/** A row under 'Speakers'. */
export interface SpeakerRow {
	readonly label?: unknown;
	readonly name?: unknown;
	readonly role?: 'guest' | 'host' | '';
}

/** A row under 'Chapters to Embed'. */
export interface ChapterRow {
	readonly imageUrl?: unknown;
	readonly startSeconds?: unknown;
	readonly title?: unknown;
	readonly url?: unknown;
}
