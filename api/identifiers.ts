const ID_LENGTH_MAXIMUM = 200;

/** An ID as a path segment, or why it cannot be used. */
type PathId =
	| { readonly ok: true; readonly segment: string }
	| { readonly ok: false; readonly reason: string };

/**
 * Encodes an ID as a path segment. Refuses an empty ID and one that contains a path: they would turn
 * "delete this edit" into a request for another resource.
 */
export function pathId(id: unknown): PathId {
	const text = typeof id === 'number' || typeof id === 'string' ? String(id).trim() : '';
	if (text === '' || text === 'undefined' || text === 'null') {
		return { ok: false, reason: 'is empty' };
	}
	if (text.length > ID_LENGTH_MAXIMUM) return { ok: false, reason: 'is too long to be an ID' };
	if (/[\s/\\?#%\p{Cc}\p{Cs}]/u.test(text) || /^\.+$/.test(text)) {
		return { ok: false, reason: 'contains characters that no ID has, such as slashes or spaces' };
	}
	return { ok: true, segment: encodeURIComponent(text) };
}
