import type { LocalSettings } from '../../../api/contract';
import type { FileIdentity } from '../files/fileIdentity';
import type { Options } from '../form/values';
import { readText } from '../texts';

/** Where a file of a show goes: within the recording, unless it is before or after it. */
export type KitPlace =
	| { readonly key: 'intro' | 'outro' }
	| {
			readonly key: 'inserts';
			readonly at: { at_seconds: number } | { at_chapter: number | string };
	  };

/** A file of a show: at a URL, or in a field of the item, which is uploaded. */
export interface KitPart {
	/** Its name in the form. */
	readonly label: string;
	readonly place: KitPlace;
	readonly url?: string;
	readonly field?: string;
	/** What identifies it, without what changes each time. */
	readonly identity: FileIdentity;
}

/** What the form has as the files of a show: URLs, and names of fields. */
export function kitTextsIn({ intro, outro, inserts }: Options): string[] {
	const rows = inserts?.insert ?? [];
	return [intro, outro, ...rows.map(({ file }) => file)].map((one) => readText(one).trim());
}

/** The settings for the files of a show that have a URL. */
export function kitSettings(kit: readonly KitPart[] = []): LocalSettings {
	const settings: LocalSettings = {};
	for (const { place, url } of kit) {
		if (url === undefined) continue;
		if (place.key === 'inserts') (settings.inserts ??= []).push({ url, ...place.at });
		else settings[place.key] = url;
	}
	return settings;
}

/** What identifies the files of a show that are uploaded. Links may have something new in them with each try. */
export function uploadedIdentities(kit: readonly KitPart[] = []): FileIdentity[] {
	return kit.flatMap(({ field, identity }) => (field === undefined ? [] : [identity]));
}
