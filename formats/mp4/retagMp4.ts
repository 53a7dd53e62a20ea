import type { Retagged, TagRequest } from '../episodeTags';

export function isMp4(head: Buffer): boolean {
	return head.toString('latin1', 4, 8) === 'ftyp';
}

export function neededMp4Bytes(_head: Buffer): number {
	return 12;
}

export function retagMp4(head: Buffer, _request: TagRequest): Retagged {
	return { head, isTagged: false, note: 'M4A' };
}
