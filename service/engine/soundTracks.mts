import { guardedInput } from '../media/ffmpeg/guardedInput.mts';
import { MediaToolError } from '../media/ffmpeg/program.mts';
import { streamFfmpeg } from '../media/ffmpeg/runFfmpeg.mts';
import { probe, type MediaInfo } from '../media/probe.mts';
import { isShortage } from '../shared/failures.mts';
import { FLOOR_SHARE, STANDS_OUT_DB } from './detection/heard.mts';
import { VoiceActivity } from './detection/voiceActivity.mts';
import {
	ANALYSIS_RATE_HZ,
	energyOf,
	HOP_FRAMES,
	HOPS_PER_SECOND,
	loudestChannelDb,
	quantile,
} from './signal/levels.mts';

/** Nobody hears what is softer, dBFS. */
const MIN_HEARD_DB = -60;

/** In a silent track, a computer may announce a message. */
const MIN_HEARD_SECONDS = 1;
const MIN_HEARD_HOPS = MIN_HEARD_SECONDS * HOPS_PER_SECOND;

/** Listening to a track is about 100 times faster than playing it, so only a malicious file takes longer. */
const LIMITS = { stallSeconds: 60, totalSeconds: 1_200 };

const CHANNELS = 2;

/** What is heard on a sound track. */
interface Heard {
	isDecoded: boolean;
	hasSpeech: boolean;
	/** How long there is more than noise. */
	seconds: number;
}

const NOT_DECODED: Heard = { isDecoded: false, hasSpeech: false, seconds: 0 };

/** Which sound track of a file is used, and what is said about it. */
export interface ChosenSound {
	track: number;
	notes: readonly string[];
}

/**
 * Returns the properties of a file with the sound track to use, of several the first, unless it is silent or cannot be
 * decoded: then the first with speech, or else with any sound. Notes say which one it is.
 *
 * @param chosen what was chosen before: listening takes as long as decoding.
 * @throws like `probe`.
 */
export async function probeSound(
	path: string,
	signal?: AbortSignal,
	chosen?: ChosenSound,
): Promise<{ info: MediaInfo; notes: readonly string[] }> {
	if (chosen !== undefined) {
		return { info: await probe(path, signal, chosen.track), notes: chosen.notes };
	}
	const first = await probe(path, signal);
	const { soundTracks } = first;
	if (soundTracks === 1) return { info: first, notes: [] };
	const heard = Array.from({ length: first.soundTrack }, () => NOT_DECODED);
	while (heard.length < soundTracks && !isEnough(heard)) {
		heard.push(await listenTo(path, heard.length, signal));
	}
	const used = bestOf(heard) ?? first.soundTrack;
	const info = used === first.soundTrack ? first : await probe(path, signal, used);
	const reasons = heard.slice(0, used).map((one, track) => `track ${track + 1} ${flawOf(one)}`);
	const because = reasons.length > 0 ? `: ${reasons.join(', ')}` : '';
	return { info, notes: [`used sound track ${used + 1} of ${soundTracks}${because}`] };
}

/** The first track that can be decoded is used if there is anything on it, and else the first with speech. */
function isEnough(heard: readonly Heard[]): boolean {
	const first = heard.find(({ isDecoded }) => isDecoded);
	return heard.some(({ hasSpeech }) => hasSpeech) || (first !== undefined && !isSilent(first));
}

/** The track with speech, or else the one with the most sound; undefined if none can be decoded. */
function bestOf(heard: readonly Heard[]): number | undefined {
	const spoken = heard.findIndex(({ hasSpeech }) => hasSpeech);
	if (spoken >= 0) return spoken;
	const decoded = [...heard.keys()].filter((track) => heard[track].isDecoded);
	return decoded.toSorted((a, b) => heard[b].seconds - heard[a].seconds).at(0);
}

function isSilent({ seconds }: Heard): boolean {
	return seconds < MIN_HEARD_SECONDS;
}

/** Why a track is not used. */
function flawOf(heard: Heard): string {
	if (!heard.isDecoded) return 'cannot be decoded';
	return isSilent(heard) ? 'is silent' : 'has no speech';
}

/** Listens to a sound track until somebody has spoken for a second. */
async function listenTo(path: string, track: number, signal?: AbortSignal): Promise<Heard> {
	const format = ['-ac', String(CHANNELS), '-ar', String(ANALYSIS_RATE_HZ), '-f', 'f32le'];
	const args = [...guardedInput(path), '-map', `0:a:${track}`, ...format, 'pipe:1'];
	using voices = await VoiceActivity.create();
	const levels: number[] = [];
	let spokenHops = 0;
	try {
		for await (const hop of hopsOf(streamFfmpeg(args, signal, LIMITS))) {
			const level = loudestChannelDb(hop, CHANNELS);
			levels.push(level);
			if (voices.isVoice(louderChannel(hop)) && level > MIN_HEARD_DB) spokenHops += 1;
			if (spokenHops >= MIN_HEARD_HOPS) break;
		}
	} catch (error) {
		if (!(error instanceof MediaToolError) || isShortage(error)) throw error;
	}
	if (levels.length === 0) return NOT_DECODED;
	const minDb = Math.max(MIN_HEARD_DB, quantile(levels, FLOOR_SHARE) + STANDS_OUT_DB);
	const seconds = levels.filter((level) => level > minDb).length / HOPS_PER_SECOND;
	return { isDecoded: true, hasSpeech: spokenHops >= MIN_HEARD_HOPS, seconds };
}

/** Yields the samples of each whole hop; it is overwritten by the next. */
async function* hopsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Float32Array> {
	const hop = new Float32Array(HOP_FRAMES * CHANNELS);
	const room = new Uint8Array(hop.buffer);
	let filled = 0;
	for await (const piece of bytes) {
		for (let at = 0; at < piece.length; ) {
			const part = piece.subarray(at, at + room.length - filled);
			room.set(part, filled);
			filled += part.length;
			at += part.length;
			if (filled < room.length) continue;
			yield hop;
			filled = 0;
		}
	}
}

/** A voice on one side must not be lost in the sum. */
function louderChannel(hop: Float32Array): Float32Array {
	const isRight = energyOf(hop, 1, hop.length, CHANNELS) > energyOf(hop, 0, hop.length, CHANNELS);
	return hop.filter((_, index) => (index % CHANNELS === 1) === isRight);
}
