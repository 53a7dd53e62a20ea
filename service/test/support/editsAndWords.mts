import type { EditKind, SpokenWord, TimelineEdit } from '../../shared/timeRanges.mts';

/** An edit of a kind, in seconds. */
export function edit(kind: EditKind, startSeconds: number, endSeconds: number): TimelineEdit {
	return { kind, startSeconds, endSeconds, sure: 0.8 };
}

/** Words from their starts, ends and texts. */
export function words(...entries: readonly [number, number, string][]): SpokenWord[] {
	return entries.map(([startSeconds, endSeconds, text]) => ({ startSeconds, endSeconds, text }));
}
