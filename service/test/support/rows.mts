import assert from 'node:assert/strict';

import { resolveEditConfig } from '../../shared/contract.mts';
import type { EditOutcome, Failure, StoredEdit } from '../../store/edit.mts';
import type { EditStore, NewEdit } from '../../store/editStore.mts';

/** Returns the simplest edit of ann's upload, as the service adds it. The upload has the edit's id. */
export function newEdit(id: string, more: Partial<NewEdit> = {}): NewEdit {
	const source = { kind: 'upload', uploadId: id, name: 'talk.wav' } as const;
	const config = resolveEditConfig({ remove_noise: false });
	return {
		id,
		ownerId: 'ann',
		createdAtMs: Date.now(),
		templateId: null,
		request: {
			kind: 'edit',
			sources: [source],
			config,
			local: {},
			kit: [],
			notes: [],
			review: null,
			changes: null,
		},
		...more,
	};
}

/** Adds the simplest edit; returns it as stored. */
export async function addEdit(
	store: EditStore,
	id: string,
	more?: Partial<NewEdit>,
): Promise<StoredEdit> {
	await store.add(newEdit(id, more));
	const edit = await store.find(id);
	assert.ok(edit);
	return edit;
}

/** Why an edit fails, when only the reason matters. */
export function failing(reason: string): Failure {
	return { reason, kind: 'known', failedIn: 'PREPROCESSING' };
}

/** What a finished edit of 1.5 s left, which is 1 s long. */
export const OUTCOME: EditOutcome = {
	run: 'result',
	fileName: 'a.wav',
	statistics: {},
	notes: [],
	deliveredUrl: null,
	markerFileNames: [],
	mergedFileNames: [],
	uncutFileNames: [],
	durationBeforeSeconds: 1.5,
	durationAfterSeconds: 1,
	noiseLoweredDb: 0,
	silencesSavedSeconds: 0,
	loudness: null,
	wordCheck: null,
};
