import { Network } from '../onnxRuntime/network.mts';
import { BANDS, LogMel, samplesOf } from './logMel.mts';

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

const GRAPH = new URL('yamnet.onnx', import.meta.url);
const WEIGHTS = new URL('yamnet.weights', import.meta.url);

let network: Promise<Network> | undefined;

/** YAMNet (Plakal and Ellis, Google, Apache-2.0): says which of 521 kinds of sound it hears. */
export class Yamnet {
	private readonly mel = new LogMel();

	private readonly network: Network;

	private constructor(loaded: Network) {
		this.network = loaded;
	}

	static async create(): Promise<Yamnet> {
		network ??= Network.load(GRAPH, WEIGHTS);
		return new Yamnet(await network);
	}

	/**
	 * Returns how likely music or song is in each sound, as a logit: 0 is 50 %.
	 *
	 * @param sounds of `PATCH_SAMPLES` at 16 kHz each, full scale ±1.
	 */
	async musicIn(sounds: readonly Float32Array[]): Promise<Float32Array> {
		const heard = await this.classesIn(sounds);
		return Float32Array.from(heard, (own) => {
			return own.subarray(FIRST_SONG, LAST_SONG + 1).reduce(larger, own[MUSIC]);
		});
	}

	/** Returns the same for speech: whispered speech is about as likely as not, noise and music are below -4. */
	async speechIn(sounds: readonly Float32Array[]): Promise<Float32Array> {
		const heard = await this.classesIn(sounds);
		return Float32Array.from(heard, (own) => {
			return own.subarray(FIRST_SPEECH, LAST_SPEECH + 1).reduce(larger);
		});
	}

	/** Returns how likely each class is in each sound. */
	private async classesIn(sounds: readonly Float32Array[]): Promise<Float32Array[]> {
		const size = WINDOWS * BANDS;
		const data = new Float32Array(sounds.length * size);
		sounds.forEach((sound, index) => {
			this.mel.write(sound, data.subarray(index * size, (index + 1) * size));
		});
		const { logits } = await this.network.run({
			audio: { data, dims: [sounds.length, 1, WINDOWS, BANDS] },
		});
		return sounds.map((_, index) => logits.data.subarray(index * CLASSES, (index + 1) * CLASSES));
	}
}

const larger = (one: number, other: number) => Math.max(one, other);
