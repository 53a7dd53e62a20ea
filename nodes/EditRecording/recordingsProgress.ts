import type { IExecuteFunctions } from 'n8n-workflow';

import { systemTime } from '../../api/time';
import type { StatusChange, WaitView } from '../../waiting/polledEdit';
import { logStatus, progressText } from '../WaitForEdit/waitProgress';
import { sayProgress } from '../shared/progress';

/** How far a recording is. */
export type RecordingStage =
	| 'onTheWay'
	| 'atService'
	| 'downloading'
	| 'edited'
	| 'skipped'
	| 'stillRunning'
	| 'failed';

/** Longest time without a line. */
const LOG_INTERVAL_MS = 30_000;

/** The stages in a line, with their words. */
const WORDS: ReadonlyArray<readonly [RecordingStage, string]> = [
	['failed', 'failed'],
	['skipped', 'skipped'],
	['stillRunning', 'still running when the time was up'],
	['onTheWay', 'uploading or waiting for the rate limit'],
	['atService', 'at the service'],
	['downloading', 'downloading'],
];

/** The stages after which nothing more is done. */
const ENDED: ReadonlySet<RecordingStage> = new Set(['edited', 'failed', 'skipped', 'stillRunning']);

/** By the context of a node run: a recording can fail before the run begins. */
const progresses = new WeakMap<IExecuteFunctions, RecordingsProgress>();

/** The progress of the node run that this context belongs to. */
export function progressOf(context: IExecuteFunctions): RecordingsProgress {
	const progress = progresses.get(context) ?? new RecordingsProgress(context);
	progresses.set(context, progress);
	return progress;
}

/** Logs how far the recordings of a run are. */
export class RecordingsProgress {
	private readonly stages: RecordingStage[];

	private readonly beganAtMs = systemTime.now();

	private saidAtMs = this.beganAtMs;

	constructor(private readonly context: IExecuteFunctions) {
		this.stages = context.getInputData().map(() => 'onTheWay');
	}

	moved(itemIndex: number, stage: RecordingStage): void {
		this.stages[itemIndex] = stage;
		const isLast = this.stages.every((one) => ENDED.has(one));
		if (isLast) this.say();
		else this.sayIfDue();
	}

	statusChanged(editId: string, change: StatusChange): void {
		logStatus(this.context, this.stages.length, editId, change);
	}

	/** Call it after each status call. */
	polled(view: WaitView): void {
		this.sayIfDue(progressText(this.stages.length, view));
	}

	private sayIfDue(running = ''): void {
		if (systemTime.now() - this.saidAtMs >= LOG_INTERVAL_MS) this.say(running);
	}

	/** Such as `12 of 300 edited, 3 failed, 41 uploading or waiting for the rate limit after 185 s`. */
	private say(running = ''): void {
		this.saidAtMs = systemTime.now();
		// The changes of its status say more about a single recording.
		if (this.stages.length === 1 && running === '') return;
		const count = (stage: RecordingStage) => this.stages.filter((one) => one === stage).length;
		const others = WORDS.map(([stage, words]) => [count(stage), words] as const);
		const parts = [
			`${count('edited')} of ${this.stages.length} edited`,
			...others.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`),
		];
		const seconds = Math.round((this.saidAtMs - this.beganAtMs) / 1_000);
		sayProgress(this.context, `${parts.join(', ')} after ${seconds} s${running}`);
	}
}
