/** Ids are data: they are checked and encoded before they become part of a path. */

const ID_LENGTH_MAXIMUM = 200;

/** A usable id as path segment, or the reason why it is none. */
export type PathId =
	| { readonly ok: true; readonly segment: string }
	| { readonly ok: false; readonly reason: string };

/**
 * Turns an id into a path segment. Empty ids and ids with a path in them are refused: an empty id
 * would turn "delete this edit" into a request for another resource.
 */
export function pathId(id: unknown): PathId {
	const text = typeof id === 'number' || typeof id === 'string' ? String(id).trim() : '';
	if (text === '' || text === 'undefined' || text === 'null') {
		return { ok: false, reason: 'it is empty' };
	}
	if (text.length > ID_LENGTH_MAXIMUM) return { ok: false, reason: 'it is too long to be an id' };
	if (/[\s/\\?#%\p{Cc}\p{Cs}]/u.test(text) || /^\.+$/.test(text)) {
		return {
			ok: false,
			reason: 'it contains characters that no id has, such as slashes or spaces',
		};
	}
	return { ok: true, segment: encodeURIComponent(text) };
}
