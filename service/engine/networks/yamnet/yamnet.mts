import { Network } from '../onnxRuntime/network.mts';
import { samplesOf } from '../windows.mts';
import { BANDS, LogMel } from './logMel.mts';

/** Windows of a mel spectrum that it hears at a time, .96 s. */
const WINDOWS = 96;

/** Samples at 16 kHz that it hears at a time. */
export const PATCH_SAMPLES = samplesOf(WINDOWS);

/** Kinds of sound that it knows, by their numbers in AudioSet. Song is everything from singing to rapping. */
const CLASSES = 521;
const MUSIC = 132;
const [FIRST_SONG, LAST_SONG] = [24, 31];
/** Speech, of children too, conversation, narration and babbling. */
const [FIRST_SPEECH, LAST_SPEECH] = [0, 4];
const [FIRST_LAUGHTER, LAST_LAUGHTER] = [13, 18];
const APPLAUSE = 62;
/** On a typewriter or a keyboard. */
const [FIRST_TYPING, LAST_TYPING] = [378, 380];

/** How likely each sound is one of a kind, as logits: 0 is 50 %. */
export interface Likely {
	/** Music or song. */
	music: Float32Array;
	/** Whispered speech is about as likely as not; of noise and music it is below -4. */
	speech: Float32Array;
	laughter: Float32Array;
	applause: Float32Array;
	typing: Float32Array;
}

const GRAPH = new URL('yamnet.onnx', import.meta.url);
const WEIGHTS = new URL('yamnet.weights', import.meta.url);

/** YAMNet (Plakal and Ellis, Google, Apache-2.0): says which of 521 kinds of sound it hears. */
export class Yamnet {
	private readonly mel = new LogMel();

	private readonly network: Network;

	private constructor(network: Network) {
		this.network = network;
	}

	static async create(): Promise<Yamnet> {
		return new Yamnet(await Network.load(GRAPH, WEIGHTS));
	}

	/**
	 * Says what it hears in each sound.
	 *
	 * @param sounds of `PATCH_SAMPLES` at 16 kHz each, full scale ±1.
	 */
	async listen(sounds: readonly Float32Array[]): Promise<Likely> {
		const size = WINDOWS * BANDS;
		const data = new Float32Array(sounds.length * size);
		sounds.forEach((sound, index) => {
			this.mel.write(sound, data.subarray(index * size, (index + 1) * size));
		});
		const { logits } = await this.network.run({
			audio: { data, dims: [sounds.length, 1, WINDOWS, BANDS] },
		});
		const likeliest = (...kinds: (readonly [first: number, last: number])[]) => {
			return Float32Array.from(sounds, (_, index) => {
				const own = logits.data.subarray(index * CLASSES, (index + 1) * CLASSES);
				return Math.max(...kinds.flatMap(([first, last]) => [...own.subarray(first, last + 1)]));
			});
		};
		return {
			music: likeliest([MUSIC, MUSIC], [FIRST_SONG, LAST_SONG]),
			speech: likeliest([FIRST_SPEECH, LAST_SPEECH]),
			laughter: likeliest([FIRST_LAUGHTER, LAST_LAUGHTER]),
			applause: likeliest([APPLAUSE, APPLAUSE]),
			typing: likeliest([FIRST_TYPING, LAST_TYPING]),
		};
	}
}
