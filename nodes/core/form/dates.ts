import { DateTime } from 'luxon';

import type { NodeRun } from '../run/nodeRun';
import { fieldError } from './fieldError';

/** A date or a time that a form has. */
export interface WrittenDate {
	/** In ISO 8601, as precise as it was written: perhaps only a year. */
	readonly text: string;
	/** In the workflow's time zone, in which it was read unless it has its own. */
	readonly dateTime: DateTime;
}

/** What to do about a date that cannot be used. */
export const DATE_ADVICE =
	'Enter a date such as 2026-03-01, or with a time such as 2026-03-01T06:00:00.';

/** ISO 8601 from the year on. Without a year, Luxon reads "12" as the time of a day. */
const HAS_YEAR = /^\d{4}($|\d{3}|-|W)/;

/**
 * Reads a date: ISO 8601 as text, as n8n's date picker saves it, or an expression's date of Luxon or
 * JavaScript. Text without a zone is in the workflow's time zone, as everywhere in n8n.
 *
 * @param label the field's name in the form
 * @returns undefined if the field is empty
 * @throws NodeOperationError for anything else: JavaScript would read "Episode 12" as a day in 2001
 */
export function readDate(
	run: NodeRun,
	itemIndex: number,
	label: string,
	value: unknown,
): WrittenDate | undefined {
	// Dates of Luxon and JavaScript become text in JSON, whichever copy of the classes made them.
	const written: unknown = typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
	const text = typeof written === 'string' ? written.trim() : written;
	if (text === '' || value === undefined || value === null) return undefined;
	if (typeof text === 'string' && HAS_YEAR.test(text)) {
		const dateTime = DateTime.fromISO(text, { zone: run.context.getTimezone() });
		if (dateTime.isValid) return { text, dateTime };
	}
	const shown = JSON.stringify(text)?.slice(0, 100) ?? 'nothing';
	const message = `'${label}' is not a date in ISO 8601: ${shown}`;
	throw fieldError(run, itemIndex, message, DATE_ADVICE);
}
