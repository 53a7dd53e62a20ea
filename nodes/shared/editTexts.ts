/** What is said of edits in more than one place. */

/** What to do about an edit that ended with status FAILURE. */
export const FAILED_EDIT_ADVICE =
	'The service gives no reason. Check that the source plays, that its format is supported and its URL public, then create a new edit.';

/** What else PENDING may mean, spec "States and transitions". */
export const PENDING_NOTE =
	'An unknown, deleted or expired edit ID also reads PENDING: check the ID.';
