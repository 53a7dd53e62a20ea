import type { INodeParameters } from 'n8n-workflow';

import { Chance } from '../../testkit/measure/chance.mts';
import { OTHER, type Recording } from './virtualService.mts';

const MAX_RECORDINGS = 6;

const SHARES = [0, 0.05, 0.15, 0.5] as const;

/** The field with the other file of an item, and the settings, that a person may change to. */
const OTHER_FIELD: INodeParameters = { binaryPropertyName: OTHER };
const OTHER_SETTINGS: INodeParameters = { preset: 'fullEdit' };

/** The files of markers, whose links differ in their queries only. */
const MARKERS: INodeParameters = {
	download: ['edited', 'markers'],
	export_timestamps: true,
};

/** All that happens in one trial: the same for the same seed. */
export function planOf(seed: number) {
	const chance = new Chance(seed);
	const count = chance.whole(1, MAX_RECORDINGS);
	const isFromUrls = chance.isTrue(0.4);
	/** Whether the node skips recordings that it submitted in an earlier execution. */
	const isSkipping = chance.isTrue(0.5);
	return {
		seed,
		recordings: Array.from({ length: count }, (_, index) => recordingOf(chance, index)),
		isFromUrls,
		isSkipping,
		node: {
			parameters: parametersOf(chance, isFromUrls, isSkipping),
			onError: chance.pick([
				'stopWorkflow',
				'continueRegularOutput',
				'continueErrorOutput',
			] as const),
			/** With n8n's Retry On Fail; 1 without it. */
			maxTries: chance.pick([1, 2, 3]),
		},
		/** What a person does after an execution that failed or was stopped. */
		person: {
			/** How often the person begins again. */
			retries: chance.whole(0, 2),
			/** Whether that is a new execution instead of a retry of the old one. */
			beginsAfresh: isSkipping && chance.isTrue(0.5),
			/** Whether each such retry is of the first execution, with what n8n saved of it. */
			retriesFirst: chance.isTrue(0.3),
			/** What the person changes in the workflow before beginning again. */
			...(chance.isTrue(0.4) && {
				change: isFromUrls || chance.isTrue(0.5) ? OTHER_SETTINGS : OTHER_FIELD,
			}),
		},
		shares: {
			submissions: chance.pick(SHARES),
			files: chance.pick(SHARES),
			others: chance.pick(SHARES),
		},
		interruptions: {
			...(chance.isTrue(0.25) && { stopAfterMs: chance.whole(1_000, 300_000) }),
			/** Stop comes during this request to delete, counted from 1. */
			...(chance.isTrue(0.15) && { stopAtDelete: chance.whole(1, 3) }),
			...(chance.isTrue(0.35) && { kill: killOf(chance) }),
		},
		/** What the service really allows; the credential says 30 a minute. */
		service: { submissionsPerMinute: chance.pick([30, 30, 4]), atOnce: chance.whole(1, 4) },
	};
}

export type Plan = ReturnType<typeof planOf>;

function recordingOf(chance: Chance, index: number): Recording {
	const sizeBytes = chance.whole(1_000, 50_000_000);
	return {
		name: `r${index}.wav`,
		sizeBytes,
		editedBytes: sizeBytes,
		workSeconds: chance.pick([5, 40, 90, 400]),
		isBroken: chance.isTrue(0.1),
	};
}

function parametersOf(chance: Chance, isFromUrls: boolean, isSkipping: boolean): INodeParameters {
	return {
		...(isFromUrls ? { recordingFrom: 'url' } : { binaryPropertyName: 'data' }),
		files: chance.isTrue(0.3) ? MARKERS : {},
		advanced: {
			maximumWaitMinutes: chance.pick([120, 120, 3]),
			whenTimeIsUp: chance.pick(['fail', 'passOn', 'secondOutput']),
			transfersAtOnce: chance.whole(1, 4),
		},
		costAndSafety: {
			...(isSkipping && { skipEdited: isFromUrls ? 'url' : 'nameAndSize' }),
			deleteWhenFetched: chance.isTrue(0.25),
			whenStopped: chance.pick(['leave', 'leave', 'delete']),
		},
	};
}

/** The death of n8n's process. */
function killOf(chance: Chance) {
	return {
		/** The number of the request at which the process dies. */
		atRequest: chance.whole(1, 40),
		/** Whether the service still gets that request. */
		isTaken: chance.isTrue(0.5),
		/** Whether n8n had saved what the node remembers in this execution. */
		isSaved: chance.isTrue(0.5),
	};
}

export type Kill = ReturnType<typeof killOf>;
