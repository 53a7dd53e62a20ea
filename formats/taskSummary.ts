import type { IDataObject } from 'n8n-workflow';

import type { CompletedTask } from '../api/contract';
import { rawBody } from './rawBody';

/** A completed task in few flat fields, or as it came; both with the names that the next node reads. */
export function describeTask(
	task: CompletedTask,
	configurationId: number,
	isSimple: boolean,
): IDataObject {
	const names = { editId: task.id, configurationId };
	if (!isSimple) return { ...rawBody(task), ...names };
	const { status, created_at: createdAt, length_audio: lengthAudio } = task;
	return { ...names, status, createdAt, lengthAudio };
}
