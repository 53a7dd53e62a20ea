const ID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Whether a text has the form of the ids that this service gives edits and uploads. Ids name folders,
 * so one from outside could otherwise lead to any other folder.
 */
export function isId(text: string): boolean {
	return ID_PATTERN.test(text);
}
