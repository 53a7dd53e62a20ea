/** Programs accept no longer arguments. Show notes and lyrics are far shorter. */
const MAX_BYTES = 100_000;

/**
 * Names of tags that describe the file instead of its content, and of those that an edit makes
 * false: encoder, length, loudness, positions. The place of a recording may be somebody's home.
 */
const NOT_KEPT = new RegExp(
	`^(${[
		'encod(er|ed_by|ing).*|tsse|tenc|software|make|model|creation_?(time|date)|handler_name',
		'vendor_id|major_brand|minor_version|compatible_brands|id3v2_priv.*|content\\..*|xmp|umid',
		'duration|tlen|bps|number_of_.*|_statistics.*|timecode|time_reference|coding_history',
		'gapless.*|replaygain.*|r128_.*|mp3gain.*|itun.*|cuesheet|syncedlyrics|chapter\\d.*',
		'metadata_block_picture|coverart.*|waveformat.*|.*location.*|com\\.android\\..*',
	].join('|')})$`,
	'i',
);

/** Names that ffmpeg reads but does not write, with their generic names. */
const GENERIC_NAMES: ReadonlyArray<readonly [RegExp, string]> = [
	[/^lyrics-.*/, 'lyrics'],
	[/^product$/, 'album'],
	[/^com\.apple\.quicktime\./, ''],
];

/**
 * Returns the tags that describe the content, by ffmpeg's generic names, and how many were dropped because
 * they are too long.
 */
export function contentTags(all: Readonly<Record<string, string>>) {
	const tags = new Map<string, string>();
	let dropped = 0;
	let bytes = 0;
	for (const [ownName, ownValue] of Object.entries(all)) {
		const name = genericName(ownName);
		const value = ownValue.replaceAll('\0', '').trim();
		const isUnset = value === '' || (name === 'language' && value === 'und');
		if (isUnset || NOT_KEPT.test(name) || /[=\0\n]|^$/.test(name)) continue;
		const size = Buffer.byteLength(name + value);
		if (bytes + size > MAX_BYTES) dropped++;
		else {
			bytes += size;
			tags.set(name, value);
		}
	}
	return { tags, dropped };
}

function genericName(ownName: string): string {
	const name = GENERIC_NAMES.reduce((text, [own, generic]) => text.replace(own, generic), ownName);
	// Matroska and Vorbis comments write all names in capitals, ID3 only those of frames.
	const isFrame = /^T[A-Z0-9]{3}$/.test(name);
	return name === name.toUpperCase() && !isFrame ? name.toLowerCase() : name;
}
