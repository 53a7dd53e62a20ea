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
} from '../../shared/contract.mts';
import { guardedInput } from '../../media/ffmpeg/guardedInput.mts';
import { type Call, Calls } from '../../../testkit/hosted/calls.mts';
import { countOf, runsOf } from '../../engine/detection/scene.mts';
import { mediaTypeOf } from '../../shared/mediaTypes.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { decoded } from '../../../testkit/media/decoded.mts';
import { CUTS, type Denoise, type Editor, TARGET_LUFS, wavOf } from './editor.mts';
import { framesOf, RATE_HZ } from '../../../testkit/media/signals.mts';

/** The API's own limit (api.md#limits). */
const POLL_MS = 5_000;

/** A service that was asked too often, or has a problem, gets this long, this many times. */
const PROBLEM_MS = 20_000;
const MAX_PROBLEMS = 30;

/** A minute of sound is edited within this time, or never. */
const MAX_EDIT_MS = 30 * 60_000;

/** Shorter silence may be the recording's own, in seconds. */
const MIN_MUTED_SECONDS = 0.01;

/** Two files of 16 bits that hold the same sound differ by less. */
const MIN_DIFFERENCE = 2 / 32_768;

/** Nobody mutes more of a talk, as a share. */
const MAX_MUTED_SHARE = 0.8;

/** No noise removal delays the sound by more than this, in seconds. */
const MAX_LAG_SECONDS = 0.05;

/** A service that is judged. */
export interface ServiceEditor extends Editor {
	readonly denoise: Denoise;
	readonly denoiseLegacy: Denoise;
	/** How many edits it was sent so far: each is charged. */
	readonly edits: number;
}

/**
 * @param baseUrl the root of the service. Sound that it returns is kept in the folder.
 * @param waits how long to wait between polls and after a problem, in milliseconds.
 */
export function serviceAt(
	baseUrl: string,
	apiKey: string,
	folder: string,
	waits = { pollMs: POLL_MS, problemMs: PROBLEM_MS },
): ServiceEditor {
	const service = new EditingService(new Calls(baseUrl, apiKey), folder, waits);
	const denoise = (remove_noise: EditConfig['remove_noise']) => async (samples: Float32Array) => {
		const sourcePath = await wavOf(samples, join(folder, 'noisy.wav'));
		return inStep(samples, await service.edited(sourcePath, { remove_noise }));
	};
	return {
		get edits() {
			return service.edits;
		},
		cut: async (sourcePath) => {
			// A noise removal that silences pauses would look like cuts.
			const config = { ...CUTS, remove_noise: false };
			const after = await service.edited(sourcePath, { ...config, muted: true });
			const muted = mutedIn(await decoded(guardedInput(sourcePath)), after);
			return { cuts: muted, edited: async () => await service.edited(sourcePath, config) };
		},
		denoise: denoise(true),
		normalize: async (sourcePath) => {
			return await service.edited(sourcePath, { normalize: true, target_lufs: TARGET_LUFS });
		},
		denoiseLegacy: denoise('legacy'),
	};
}

class EditingService {
	edits = 0;

	constructor(
		private readonly calls: Calls,
		private readonly folder: string,
		private readonly waits: { readonly pollMs: number; readonly problemMs: number },
	) {}

	/** Lets the service edit a file, and deletes the edit. */
	async edited(sourcePath: string, config: EditConfig): Promise<Float32Array> {
		const file = await readFile(sourcePath);
		const to = `/v2/upload?filename=evaluation${extname(sourcePath)}`;
		const { signedUrl } = uploadSchema.parse(await this.ask({ method: 'POST', to }));
		const contentType = mediaTypeOf(sourcePath);
		await this.ask({ method: 'PUT', to: signedUrl, file, contentType });
		const files = [signedUrl.split('?')[0]];
		const json = { input: { files, config: { ...config, export_format: 'wav' } } };
		const created = await this.ask({ method: 'POST', to: '/v2/edits', json });
		this.edits++;
		const { id } = editCreationSchema.parse(created);
		const path = `/v2/edits/${encodeURIComponent(id)}`;
		const samples = await this.resultOf(path);
		await this.ask({ method: 'DELETE', to: path });
		return samples;
	}

	private async resultOf(path: string): Promise<Float32Array> {
		const untilMs = performance.now() + MAX_EDIT_MS;
		while (performance.now() < untilMs) {
			await sleep(this.waits.pollMs);
			const edit = editSchema.parse(await this.ask({ method: 'GET', to: path }));
			if (edit.status === 'FAILURE') {
				const reason = this.calls.hide(edit.failureReason ?? 'no reason given');
				throw new Error(`The edit ${path} failed: ${reason}`);
			}
			const link = edit.result?.download_url;
			if (isFinalStatus(edit.status) && link) return await this.downloaded(link);
		}
		throw new Error(`The edit ${path} did not end within ${MAX_EDIT_MS / 60_000} minutes.`);
	}

	private async downloaded(link: string): Promise<Float32Array> {
		const response = await this.again('GET of an edited file', async () => await fetch(link));
		const path = join(this.folder, 'edited.wav');
		await writeFile(path, Buffer.from(await response.arrayBuffer()));
		return await decoded(guardedInput(path));
	}

	/** Returns the body of a response. An edit is charged, so it is not sent again: it may exist. */
	private async ask(call: Call): Promise<unknown> {
		const what = `${call.method} ${call.to}`;
		const mayRepeat = what !== 'POST /v2/edits';
		return (await this.again(what, async () => await this.calls.send(call), mayRepeat)).body;
	}

	/** Sends a request until it is answered with a success; if it may not be repeated, only after a 429. */
	private async again<T extends { status: number; body: unknown }>(
		what: string,
		send: () => Promise<T>,
		mayRepeat = true,
	): Promise<T> {
		for (let problems = 0; ; problems++) {
			const isLast = problems === MAX_PROBLEMS;
			const answer = await send().catch((error: unknown) => {
				if (!mayRepeat || isLast) throw error;
				return undefined;
			});
			if (answer !== undefined && answer.status < 300) return answer;
			const { status = 0, body } = answer ?? {};
			const isPassing = status === 429 || (mayRepeat && (status === 0 || status >= 500));
			if (!isPassing || isLast) {
				throw new Error(this.calls.hide(`${what}: ${status}, ${JSON.stringify(body)}`));
			}
			await sleep(this.waits.problemMs);
		}
	}
}

/**
 * The parts that a service muted: where a file differs from its source, or is silent to the last bit if it differs
 * throughout, as after another encoder.
 */
function mutedIn(source: Float32Array, after: Float32Array): TimeRange[] {
	const isOther = Uint8Array.from(after, (sample, i) => {
		return Number(Math.abs(sample - (source[i] ?? 0)) > MIN_DIFFERENCE);
	});
	const isKept = countOf(isOther, 0, after.length) < MAX_MUTED_SHARE * after.length;
	const isMuted = isKept ? isOther : Uint8Array.from(after, (sample) => Number(sample === 0));
	return runsOf(isMuted, isKept ? framesOf(MIN_MUTED_SECONDS) : 0)
		.filter(({ start, end }) => end - start >= framesOf(MIN_MUTED_SECONDS))
		.map(({ start, end }) => ({ startSeconds: start / RATE_HZ, endSeconds: end / RATE_HZ }));
}

/** Shifts a sound to where it is most like another, and gives it the same length. */
export function inStep(reference: Float32Array, output: Float32Array): Float32Array {
	let [best, lag] = [-Infinity, 0];
	const most = framesOf(MAX_LAG_SECONDS);
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
