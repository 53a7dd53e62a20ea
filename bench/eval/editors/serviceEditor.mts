/** A service at a URL as the editor that an evaluation judges: it sends edits, which are charged. */
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import {
	editCreationSchema,
	editSchema,
	type EditConfig,
	isFinalStatus,
	uploadSchema,
} from '../../../service/shared/contract.mts';
import { type Call, Calls } from '../../../test/hosted/calls.mts';
import type { TimeRange } from '../../../service/shared/timeRanges.mts';
import { decoded } from '../conditions.mts';
import { CUTS, type Denoise, type Editor, TARGET_LUFS, wavOf } from './editor.mts';
import { framesOf, RATE_HZ } from '../signals.mts';

const POLL_MS = 2_000;

/** A service that was asked too often gets this long, this many times. */
const RATE_LIMIT_MS = 20_000;
const MOST_REFUSALS = 30;

/** A minute of sound is edited within this time, or never. */
const LONGEST_EDIT_MS = 30 * 60_000;

/** Shorter silence may be the recording's own, in seconds. */
const SHORTEST_MUTED_SECONDS = 0.01;

/** No noise removal delays the sound by more than this, in seconds. */
const LONGEST_LAG_SECONDS = 0.05;

/** A service that is judged. */
export interface ServiceEditor extends Editor {
	readonly denoiseLegacy: Denoise;
	/** How much was sent to it so far. */
	readonly charge: string;
}

/** @param baseUrl the root of the service. Sound that it returns is kept in the folder. */
export function serviceAt(baseUrl: string, apiKey: string, folder: string): ServiceEditor {
	const service = new EditingService(baseUrl, apiKey, folder);
	const denoise = (remove_noise: EditConfig['remove_noise']) => async (samples: Float32Array) => {
		const sourcePath = await wavOf(samples, join(folder, 'noisy.wav'));
		return inStep(samples, await service.edited(sourcePath, { remove_noise }));
	};
	return {
		get charge() {
			return `${service.edits} edits, ${(service.seconds / 60).toFixed(0)} minutes of sound`;
		},
		cut: async (sourcePath) => ({
			cuts: mutedIn(await service.edited(sourcePath, { ...CUTS, muted: true })),
			edited: async () => await service.edited(sourcePath, CUTS),
		}),
		denoise: denoise(true),
		normalize: async (sourcePath) => {
			return await service.edited(sourcePath, { normalize: true, target_lufs: TARGET_LUFS });
		},
		denoiseLegacy: denoise('legacy'),
	};
}

class EditingService {
	edits = 0;
	seconds = 0;
	private readonly calls: Calls;

	constructor(
		baseUrl: string,
		apiKey: string,
		private readonly folder: string,
	) {
		this.calls = new Calls(baseUrl, apiKey);
	}

	/** Lets the service edit a file, and deletes the edit. */
	async edited(sourcePath: string, config: EditConfig): Promise<Float32Array> {
		const file = await readFile(sourcePath);
		const to = `/v2/upload?filename=evaluation${extname(sourcePath)}`;
		const { signedUrl } = uploadSchema.parse(await this.ask({ method: 'POST', to }));
		await this.ask({ method: 'PUT', to: signedUrl, file });
		const files = [signedUrl.split('?')[0]];
		const json = { input: { files, config: { ...config, export_format: 'wav' } } };
		const created = await this.ask({ method: 'POST', to: '/v2/edits', json });
		const { id } = editCreationSchema.parse(created);
		const path = `/v2/edits/${encodeURIComponent(id)}`;
		try {
			const samples = await this.resultOf(path);
			this.edits++;
			this.seconds += samples.length / RATE_HZ;
			return samples;
		} finally {
			await this.calls.send({ method: 'DELETE', to: path });
		}
	}

	private async resultOf(path: string): Promise<Float32Array> {
		for (let waitedMs = 0; waitedMs < LONGEST_EDIT_MS; waitedMs += POLL_MS) {
			const edit = editSchema.parse(await this.ask({ method: 'GET', to: path }));
			if (edit.status === 'FAILURE') {
				throw new Error(`An edit of the evaluation failed: ${edit.failureReason ?? 'no reason'}`);
			}
			const link = edit.result?.download_url;
			if (isFinalStatus(edit.status) && link) return await this.downloaded(link);
			await sleep(POLL_MS);
		}
		throw new Error(`The edit ${path} did not end within ${LONGEST_EDIT_MS / 60_000} minutes.`);
	}

	private async downloaded(link: string): Promise<Float32Array> {
		const response = await fetch(link);
		if (!response.ok) throw new Error(`The download of an edited file: ${response.status}`);
		const path = join(this.folder, 'edited.wav');
		await writeFile(path, Buffer.from(await response.arrayBuffer()));
		return await decoded(path, join(this.folder, 'edited.f32'));
	}

	/** Returns the body of a response. Sends a request again only if the service refused it for their number. */
	private async ask(call: Call): Promise<unknown> {
		let answer = await this.calls.send(call);
		for (let refusals = 0; answer.status === 429 && refusals < MOST_REFUSALS; refusals++) {
			await sleep(RATE_LIMIT_MS);
			answer = await this.calls.send(call);
		}
		if (answer.status < 300) return answer.body;
		const what = `${call.method} ${call.to}: ${answer.status}, ${JSON.stringify(answer.body)}`;
		throw new Error(this.calls.hide(what));
	}
}

/** Where a file is silent to the last bit: the parts that the service muted. */
function mutedIn(samples: Float32Array): TimeRange[] {
	const muted: TimeRange[] = [];
	for (let start = 0; start < samples.length; start++) {
		if (samples[start] !== 0) continue;
		let end = start;
		while (end < samples.length && samples[end] === 0) end++;
		if (end - start >= framesOf(SHORTEST_MUTED_SECONDS)) {
			muted.push({ startSeconds: start / RATE_HZ, endSeconds: end / RATE_HZ });
		}
		start = end;
	}
	return muted;
}

/** Shifts a sound to where it is most like another, and gives it the same length. */
function inStep(reference: Float32Array, output: Float32Array): Float32Array {
	let [best, lag] = [-Infinity, 0];
	const most = framesOf(LONGEST_LAG_SECONDS);
	for (let shift = -most; shift <= most; shift++) {
		let likeness = 0;
		// Every third sample is enough to find the place.
		for (let i = most; i < reference.length - most; i += 3) {
			likeness += reference[i] * (output[i + shift] ?? 0);
		}
		if (likeness > best) [best, lag] = [likeness, shift];
	}
	return reference.map((_, frame) => output[frame + lag] ?? 0);
}
