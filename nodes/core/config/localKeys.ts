import type { INodeProperties } from 'n8n-workflow';
import { ZodNumber } from 'zod';

import {
	type KitKey,
	LOCAL_DEFAULTS,
	type LocalSettings,
	localSettingsSchema,
} from '../../../api/contract/localSettings';
import { numberField, toggle } from '../form/build';
import type { OptionGroup } from '../form/optionGroups';

/** A key of `input.local`, which only the local service reads. */
type LocalKey = Exclude<keyof LocalSettings, KitKey>;

interface LocalKeyRow {
	readonly group: OptionGroup;
	/** Whether it is about what an edit cuts, which noise reduction does not. */
	readonly isForCuts: boolean;
	/** Its field, with the same name. */
	readonly field: INodeProperties;
}

const IN_PAUSES = "In the local service's 'Long Silences and Pauses': ";

export const LOCAL_KEYS: Readonly<Record<LocalKey, LocalKeyRow>> = {
	silence_min_seconds: fineCut(
		number(
			'silence_min_seconds',
			'Pauses From (Seconds)',
			`${IN_PAUSES}a pause from this length on is shortened`,
		),
	),
	silence_kept_seconds: fineCut(
		number(
			'silence_kept_seconds',
			'Pause Kept (Seconds)',
			`${IN_PAUSES}how much is left of a pause of 1 second. Of longer pauses, a little more is left. It must be less than 'Pauses From (Seconds)'.`,
		),
	),
	noise_reduction_db: fine(
		number(
			'noise_reduction_db',
			'Noise Reduction (dB)',
			"With 'Remove Noise': noise is lowered by no more than this. 'Studio Sound' lowers it by 30 dB unless this is set.",
		),
	),
	hum_removal: fine(
		toggle('hum_removal', 'Remove Hum', "Whether 'Remove Noise' takes out the hum of the mains"),
	),
	true_peak_dbtp: fine(
		number(
			'true_peak_dbtp',
			'Maximum True Peak (dBTP)',
			"With 'Normalize Loudness (Volume)': no peak is louder than this",
		),
	),
	speaker_leveling: fine(
		number(
			'speaker_leveling',
			'Speaker Leveling (0 to 1)',
			"With 'Normalize Loudness (Volume)': how far softer speakers of one file are raised, from 0 (not at all) to 1",
		),
	),
	bleed_reduction_db: fine(
		number(
			'bleed_reduction_db',
			'Bleed Reduction (dB)',
			'With several microphones: how far other people are lowered in each while only they are heard in it. 0 leaves them as they are.',
		),
	),
	crossfade_ms: fineCut(
		number(
			'crossfade_ms',
			'Fade at Cuts (Milliseconds)',
			'The length of the fade at each cut. Beside a short sound it is shorter.',
		),
	),
	high_pass_hz: fine(
		number(
			'high_pass_hz',
			'High-Pass Filter (Hz)',
			'Takes out all sound lower than this. With 0, only what nobody hears is taken out.',
		),
	),
	de_ess: fine(
		toggle(
			'de_ess',
			'De-Esser',
			"Whether to soften nearly every S. 'Studio Sound' softens only sharp ones.",
		),
	),
	filler_words: {
		group: 'transcriptAndNotes',
		isForCuts: true,
		field: toggle(
			'filler_words',
			'Listen for Filler Words (Local Service)',
			"Whether the local service listens for filler words, so that 'Fillers (Um, Uh)' removes more of them. It needs a speech model and takes longer.",
		),
	},
	word_check: {
		group: 'transcriptAndNotes',
		isForCuts: true,
		field: toggle(
			'word_check',
			'Check Cuts by Words (Local Service)',
			"Whether the local service hears the recording again around each cut, and puts the cut back if it took a word. 'word_check' in the result says which. It needs a speech model and takes longer.",
		),
	},
	review: {
		group: 'costAndSafety',
		isForCuts: true,
		field: toggle(
			'review',
			'Review the Cuts (Local Service)',
			"Whether the edit waits on the local service until somebody approves its cuts. The output contains the link as 'reviewUrl'.",
		),
	},
	review_hours: {
		group: 'costAndSafety',
		isForCuts: true,
		field: number(
			'review_hours',
			'Review Within (Hours, Local Service)',
			'How long the edit waits for that. After it, the service fails the edit, or approves the cuts if its operator chose so.',
		),
	},
	kit_fade_seconds: {
		group: 'introAndOutro',
		isForCuts: false,
		field: number(
			'kit_fade_seconds',
			'Cross-Fade (Seconds)',
			'The length of the cross-fades of intro, outro and inserts. No fade lies on a word: beside words it is shorter.',
		),
	},
};

function fine(field: INodeProperties): LocalKeyRow {
	return { group: 'fineControl', isForCuts: false, field };
}

function fineCut(field: INodeProperties): LocalKeyRow {
	return { ...fine(field), isForCuts: true };
}

/** A field for a number, in the range and with the default of its key. */
function number(key: LocalKey, displayName: string, description: string): INodeProperties {
	const schema = localSettingsSchema.shape[key].unwrap();
	const range =
		schema instanceof ZodNumber
			? { minValue: schema.minValue ?? undefined, maxValue: schema.maxValue ?? undefined }
			: {};
	const typeOptions = { ...range, numberPrecision: 2 };
	return numberField(key, displayName, Number(LOCAL_DEFAULTS[key]), description, { typeOptions });
}

export const LOCAL_KEY_NAMES = Object.keys(LOCAL_KEYS) as LocalKey[];

/** The keys that noise reduction ignores, since it does not cut. */
export const LOCAL_KEYS_FOR_CUTS = LOCAL_KEY_NAMES.filter((key) => LOCAL_KEYS[key].isForCuts);

/** The field of a key; undefined for another name. */
export function localFieldOf(name: string | number): INodeProperties | undefined {
	return Object.values(LOCAL_KEYS).find(({ field }) => field.name === name)?.field;
}

/** The fields of a group. */
export function localFieldsIn(group: OptionGroup): INodeProperties[] {
	const rows = LOCAL_KEY_NAMES.map((key) => LOCAL_KEYS[key]);
	return rows.filter((row) => row.group === group).map(({ field }) => field);
}
