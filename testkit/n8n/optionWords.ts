import type { OptionGroup } from '../../nodes/core/form/optionGroups';

/** A word, the groups in which people look for it, the likelier one first, and the fields that do it. */
interface OptionWord {
	readonly word: string;
	/** `form` for the fields that the form opens with. */
	readonly groups: ReadonlyArray<OptionGroup | 'form'>;
	/** Nothing does it if this is empty: such a word stays a miss. */
	readonly fields: readonly string[];
}

const LOUDNESS = ['normalize', 'loudnessFor', 'target_lufs'];
const SPENDING = ['mostEdits', 'stopBelowCredit'];

/** What people want of an edit, in their words. Who sorted them into groups had read the form before. */
export const OPTION_WORDS: readonly OptionWord[] = [
	{ word: 'louder', groups: ['sound'], fields: LOUDNESS },
	{ word: 'volume', groups: ['sound'], fields: LOUDNESS },
	{ word: 'wav', groups: ['files'], fields: ['export_format'] },
	{ word: 'mp3', groups: ['files'], fields: ['export_format'] },
	{ word: 'subtitle', groups: ['transcriptAndNotes', 'form'], fields: ['alsoReturn'] },
	{ word: 'shorter', groups: ['cuts'], fields: ['long_silences'] },
	{ word: 'pause', groups: ['cuts'], fields: ['long_silences'] },
	{ word: 'reverb', groups: ['sound'], fields: [] },
	{ word: 'echo', groups: ['sound'], fields: [] },
	{ word: 'um', groups: ['cuts'], fields: ['fillers'] },
	{ word: 'language', groups: ['transcriptAndNotes', 'advanced'], fields: [] },
	{ word: 'retry', groups: ['costAndSafety', 'advanced'], fields: ['afterFailure'] },
	{ word: 'timeout', groups: ['advanced', 'costAndSafety'], fields: ['maximumWaitMinutes'] },
	{ word: 'folder', groups: ['files'], fields: [] },
	{ word: 'music', groups: ['sound'], fields: ['keep_music'] },
	{ word: 'mute', groups: ['cuts', 'sound'], fields: ['muted'] },
	{ word: 'format', groups: ['files'], fields: ['export_format'] },
	{ word: 'quality', groups: ['sound', 'files'], fields: ['studio_sound'] },
	{ word: 'chapters', groups: ['transcriptAndNotes'], fields: ['embedChapters', 'alsoReturn'] },
	{ word: 'speaker', groups: ['transcriptAndNotes'], fields: ['speakers'] },
	{ word: 'cost', groups: ['costAndSafety'], fields: SPENDING },
	{ word: 'limit', groups: ['costAndSafety', 'advanced'], fields: SPENDING },
	{ word: 'delete', groups: ['costAndSafety', 'files'], fields: ['deleteWhenFetched'] },
	{ word: 'noise', groups: ['sound'], fields: ['remove_noise'] },
	{ word: 'hiss', groups: ['sound'], fields: ['remove_noise'] },
	{ word: 'hum', groups: ['sound'], fields: ['remove_noise'] },
	{ word: 'breath', groups: ['cuts'], fields: ['breath'] },
	{ word: 'silence', groups: ['cuts'], fields: ['long_silences'] },
	{ word: 'cover', groups: ['files', 'transcriptAndNotes'], fields: ['writeTags'] },
	{ word: 'feed', groups: ['transcriptAndNotes', 'form'], fields: ['alsoReturn'] },
];
