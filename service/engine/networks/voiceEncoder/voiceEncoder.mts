import { Network } from '../onnxRuntime/network.mts';
import { energyOf } from '../../signal/levels.mts';
import { samplesOf } from '../windows.mts';
import { BANDS, MelPower } from './melPower.mts';

/** Windows of a mel spectrum that it hears at a time, 1.6 s. */
const WINDOWS = 160;

/** Samples at 16 kHz that it hears at a time. */
export const VOICE_SAMPLES = samplesOf(WINDOWS);

/** Numbers that describe a voice. */
export const VOICE_SIZE = 256;

/** The level of what it learned from, as a mean square: -30 dBFS. */
const MEAN_SQUARE = 1e-3;
const FAINTEST = 1e-12;

const GRAPH = new URL('encoder.onnx', import.meta.url);
const WEIGHTS = new URL('encoder.weights', import.meta.url);

/** Resemblyzer's voice encoder (Jemine, Resemble AI, Apache-2.0): describes whose voice it hears. */
export class VoiceEncoder {
	private readonly mel = new MelPower();

	private readonly network: Network;

	private constructor(network: Network) {
		this.network = network;
	}

	static async create(): Promise<VoiceEncoder> {
		return new VoiceEncoder(await Network.load(GRAPH, WEIGHTS));
	}

	/**
	 * Returns what describes the voice in each sound, `VOICE_SIZE` numbers of length 1: the more the same voice, the
	 * nearer to 1 is their product.
	 *
	 * @param sounds of `VOICE_SAMPLES` at 16 kHz each.
	 */
	async voicesIn(sounds: readonly Float32Array[]): Promise<Float32Array> {
		const size = WINDOWS * BANDS;
		const mel = new Float32Array(sounds.length * size);
		sounds.forEach((sound, index) => {
			const own = mel.subarray(index * size, (index + 1) * size);
			this.mel.write(sound, own);
			const gain = MEAN_SQUARE / (energyOf(sound, 0, sound.length) / sound.length + FAINTEST);
			for (let i = 0; i < size; i++) own[i] *= gain;
		});
		const dims = [sounds.length, WINDOWS, BANDS];
		const { voices } = await this.network.run({ mel: { data: mel, dims } });
		return voices.data.slice();
	}
}
