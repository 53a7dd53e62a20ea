import { mp3HoldsOnlyTags } from './mp3Tags.mts';
import { oggLinks } from './oggLinks.mts';

/** ffmpeg's messages about parts that it cannot decode or find. Its guesses are not worth a note. */
const DAMAGE_PATTERN =
	/Error (while decoding stream|submitting packet)|CRC mismatch|exceeds containing master/;

/** What ffmpeg says of one packet: the decoder's reason, and then that it could not decode. */
const packetPattern = (reason: string) =>
	new RegExp(
		`\\[[^\\]\\n]*\\] ${reason}[^\\n]*\\n[^\\n]*Error (while decoding stream|submitting packet)[^\\n]*`,
		'g',
	);

/** The end of a file within a sample: nothing that could be heard. */
const PART_OF_SAMPLE = packetPattern('Invalid PCM packet, data has size');
/** Tags between the frames. */
const NO_FRAME = packetPattern('Header missing');
/** The head and the tags of a further link of a chained file, which reach the decoder of the first. */
const NO_OPUS = packetPattern('Error parsing the packet header');
const PACKETS_OF_HEAD = 2;

/**
 * Whether ffmpeg complains about damage in a file. Files that somebody joined, and tags where it
 * does not expect them, are none, though it cannot decode what is between the sound.
 */
export async function isDamaged(
	complaints: string,
	{ path, container }: { path: string; container?: string },
): Promise<boolean> {
	let rest = complaints.replace(PART_OF_SAMPLE, '');
	if (NO_FRAME.test(rest) && container === 'mp3' && (await mp3HoldsOnlyTags(path))) {
		rest = rest.replace(NO_FRAME, '');
	}
	const heads = rest.match(NO_OPUS)?.length ?? 0;
	if (heads > 0 && container === 'ogg' && heads <= PACKETS_OF_HEAD * ((await oggLinks(path)) - 1)) {
		rest = rest.replace(NO_OPUS, '');
	}
	return DAMAGE_PATTERN.test(rest);
}
