import load, { type FvadModule } from '@echogarden/fvad-wasm';

import { ANALYSIS_RATE_HZ, HOP_FRAMES } from '../signal/levels.mts';

/** Voices only where it is sure: what it is asked is whether a pause may be cut although there is music. */
const MODE = 3;

const FULL_SCALE = 32_767;

let library: Promise<FvadModule> | undefined;

/** WebRTC's voice activity detector; it adapts to what it hears, so hops come in order. */
export class VoiceActivity implements Disposable {
	private readonly module: FvadModule;
	private readonly instance: number;
	private readonly frame: number;

	private constructor(module: FvadModule) {
		this.module = module;
		this.instance = module._fvad_new();
		this.frame = module._malloc(HOP_FRAMES * Int16Array.BYTES_PER_ELEMENT);
		module._fvad_set_mode(this.instance, MODE);
		module._fvad_set_sample_rate(this.instance, ANALYSIS_RATE_HZ);
	}

	static async create(): Promise<VoiceActivity> {
		library ??= load();
		return new VoiceActivity(await library);
	}

	/** Whether a hop of 10 ms at 16 kHz holds a voice. */
	isVoice(hop: Float32Array): boolean {
		const heap = this.module.HEAP16;
		const start = this.frame / Int16Array.BYTES_PER_ELEMENT;
		for (let i = 0; i < HOP_FRAMES; i++) {
			heap[start + i] = Math.max(-1, Math.min(1, hop[i])) * FULL_SCALE;
		}
		return this.module._fvad_process(this.instance, this.frame, HOP_FRAMES) === 1;
	}

	[Symbol.dispose](): void {
		this.module._fvad_free(this.instance);
		this.module._free(this.frame);
	}
}
