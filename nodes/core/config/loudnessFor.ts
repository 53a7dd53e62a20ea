import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { EditConfigKey } from '../../../api/contract';

/** The option's name; it is not a key of the configuration. */
export const LOUDNESS_FOR = 'loudnessFor';

const CUSTOM = 'custom';

interface LoudnessTarget extends INodePropertyOptions {
	/** Integrated loudness, LUFS. */
	readonly lufs: number;
}

/**
 * The loudness that platforms and standards ask for. Sources:
 * - Apple Podcasts: −16 ±1 LKFS, https://podcasters.apple.com/support/893-audio-requirements
 * - Spotify: plays at −14 LUFS, https://support.spotify.com/artists/article/loudness-normalization/
 * - YouTube: turns down what is louder than −14 LUFS. YouTube publishes no number; players show it under
 *   "Stats for nerds" as "content loudness".
 * - European broadcast: EBU R 128, −23.0 LUFS, https://tech.ebu.ch/docs/r/r128.pdf
 * - US broadcast: ATSC A/85, −24 LKFS, https://www.atsc.org/atsc-documents/a85-techniques-for-establishing-and-maintaining-audio-loudness/
 * - Audiobooks: ACX asks for −23 to −18 dB RMS with peaks below −3 dB, and a noise floor below −60 dB RMS,
 *   https://help.acx.com/s/article/what-are-the-acx-audio-submission-requirements. Speech at −20 LUFS is
 *   mostly within that range of RMS; a loudness target sets neither peaks nor noise floor.
 */
const TARGETS: LoudnessTarget[] = [
	{ name: 'Apple Podcasts (−16 LUFS)', value: 'applePodcasts', lufs: -16 },
	{
		name: 'Audiobook (About −20 LUFS)',
		value: 'audiobook',
		lufs: -20,
		description:
			'An approximation: ACX asks for −23 to −18 dB RMS and peaks below −3 dB. Check the edited file.',
	},
	{ name: 'Broadcast in Europe, EBU R 128 (−23 LUFS)', value: 'ebuR128', lufs: -23 },
	{ name: 'Broadcast in the US, ATSC A/85 (−24 LKFS)', value: 'atscA85', lufs: -24 },
	{ name: 'Spotify (−14 LUFS)', value: 'spotify', lufs: -14 },
	{ name: 'YouTube (−14 LUFS)', value: 'youTube', lufs: -14 },
];

/** The option for where the edited file will be played; it sets the target loudness. */
export const LOUDNESS_FOR_FIELD: INodeProperties = {
	displayName: 'Loudness For',
	name: LOUDNESS_FOR,
	type: 'options',
	default: 'applePodcasts',
	description:
		"Where the edited file will be played. Sets 'Target Loudness (LUFS)' and turns on 'Normalize Loudness (Volume)'.",
	options: [
		...TARGETS.map(({ name, value, description }) => ({ name, value, description })),
		{ name: 'Custom', value: CUSTOM, description: "Also set 'Target Loudness (LUFS)'" },
	].sort((one, other) => (one.name < other.name ? -1 : 1)),
};

type Options = Partial<Record<EditConfigKey | typeof LOUDNESS_FOR, unknown>>;

/**
 * The options, with 'Loudness For' replaced by the keys that it sets. Other
 * options that the user set stay, so that a contradiction is found.
 *
 * @throws Error if the platform is not known, or the user also set another target loudness
 */
export function withLoudness({ [LOUDNESS_FOR]: platform, ...config }: Options): Options {
	if (platform === undefined) return config;
	if (platform === CUSTOM) return { normalize: true, ...config };
	const target = TARGETS.find(({ value }) => value === platform);
	if (target === undefined) throw new Error(`'Loudness For' has no option '${String(platform)}'`);
	const { name, lufs } = target;
	const { target_lufs: set = lufs } = config;
	if (Number(set) === lufs) return { normalize: true, ...config, target_lufs: lufs };
	throw new Error(`'Loudness For' is ${name}, but 'Target Loudness (LUFS)' is ${String(set)}`);
}
