import { join } from 'node:path';

import { execa } from 'execa';
import { z } from 'zod';

import { installPython } from './python.mts';

/** What `listener.py` needs. */
export const LISTENER_PACKAGES = [
	'speechmos==0.0.1.1',
	// speechmos does not say that it needs these.
	'librosa==0.11.0',
	'onnxruntime==1.32.0',
	'requests==2.34.2',
	'scipy==1.17.1',
	'numpy==2.4.6',
];

/** DNSMOS (Reddy et al. 2022), which predicts how listeners rate speech in noise, from 1 to 5. */
export class Listener {
	private readonly python: string;

	private constructor(python: string) {
		this.python = python;
	}

	/** Installs it into an empty folder, which takes a minute. */
	static async install(folder: string): Promise<Listener> {
		return new Listener(await installPython(folder, LISTENER_PACKAGES));
	}

	/** The overall ratings of sounds on disk: raw floats, 48 kHz, mono. */
	async ratings(paths: readonly string[]): Promise<number[]> {
		const script = join(import.meta.dirname, 'listener.py');
		const { stdout } = await execa(this.python, [script], { input: paths.join('\n') });
		return z.array(z.number()).parse(JSON.parse(stdout));
	}
}
