import type { AcceptedConfig, EditConfig } from '../shared/contract.mts';

/** Takes what has no effect out of a configuration. Returns the rest, and a note on everything that was wanted. */
export function withoutNoEffect({
	automix,
	trim,
	waveform_preview,
	breath,
	...rest
}: AcceptedConfig) {
	const unknown = Object.entries({ automix, trim, waveform_preview }).filter(([, value]) => value);
	const notes = unknown.map(([key]) => `'${key}' has no effect: this service does not have it`);
	const config: EditConfig = rest;
	if (breath === 'muted') {
		const instead = "Set 'breath' and 'muted' to true to mute breaths instead of cutting them";
		return { config, notes: [...notes, `'breath: muted' has no effect. ${instead}`] };
	}
	return { config: breath === undefined ? config : { ...config, breath }, notes };
}
