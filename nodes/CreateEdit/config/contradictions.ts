import { type EditConfig, type EditConfigKey, resolveEditConfig } from '../../../api/contract';

const CUTS: readonly EditConfigKey[] = [
	'fillers',
	'long_silences',
	'stutters',
	'mouth_sounds',
	'hesitations',
	'breath',
];

/** A combination of keys that cannot work, found before an edit is charged. */
interface Rule {
	readonly message: string;
	/** What to do. Without advice the edit can be made, and the message is only a hint. */
	readonly advice?: string;
	/** True for a rule that holds whatever keys a template adds. */
	readonly holdsUnderTemplate?: true;
	readonly applies: (config: Required<EditConfig>, trackCount: number) => boolean;
}

const hasCuts = (config: Required<EditConfig>) => CUTS.some((key) => config[key] !== false);

const RULES: readonly Rule[] = [
	{
		holdsUnderTemplate: true,
		applies: ({ merge }, trackCount) => merge && trackCount < 2,
		message: "'Merge Tracks' needs several tracks, but there is only one file",
		advice:
			"Give several file URLs, or set 'Treat Input Items As' to 'Tracks of One Recording', or switch 'Merge Tracks' off.",
	},
	{
		applies: ({ audio_for_edl, video }) => audio_for_edl && !video,
		message: "'Audio for EDL' works only for video, but 'Video' is off",
		advice: "Switch 'Video' on, or 'Audio for EDL' off.",
	},
	{
		applies: ({ keep_music, remove_noise }) => keep_music && remove_noise === false,
		message:
			"'Keep Music' is part of noise removal, but 'Remove Noise' is set to 'Leave Untouched'",
		advice: "Set 'Remove Noise' to 'Remove', or switch 'Keep Music' off.",
	},
	{
		applies: ({ target_lufs, normalize }) => target_lufs !== null && !normalize,
		message: "'Target Loudness (LUFS)' is set, but 'Normalize Loudness' is off",
		advice: "Switch 'Normalize Loudness' on, or remove the target.",
	},
	{
		applies: (config) => config.muted && !hasCuts(config),
		message: "'Mute Instead of Cut' has no effect: none of the chosen options cuts anything.",
	},
	{
		applies: (config) => config.export_timestamps && !hasCuts(config),
		message: "'Export Timestamps' will be empty: none of the chosen options cuts anything.",
	},
	{
		applies: ({ video, export_format }) => video && export_format !== 'auto',
		message: "'Export Format' has no effect: video keeps its original container.",
	},
	{
		applies: ({ merge, normalize }) => merge && !normalize,
		message: "'Merge Tracks' sounds best with 'Normalize Loudness' on.",
	},
];

/**
 * Finds the keys of a configuration that contradict each other or their request.
 *
 * @param hasTemplate whether a template adds keys that are not known here
 */
export function findContradictions(
	config: EditConfig,
	{ trackCount, hasTemplate }: { trackCount: number; hasTemplate: boolean },
) {
	const resolved = resolveEditConfig({ ...config });
	// `normalize` fills in its own target. Only a target that the person set can contradict.
	resolved.target_lufs = config.target_lufs ?? null;
	const rules = RULES.filter((rule) => !hasTemplate || rule.holdsUnderTemplate);
	return rules
		.filter((rule) => rule.applies(resolved, trackCount))
		.map(({ message, advice = '' }) => ({ message, advice, isFatal: advice !== '' }));
}
