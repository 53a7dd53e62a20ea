import { DateTime } from 'luxon';

import { readDate } from '../../../nodes/core/form/dates';
import { runOf } from '../../../testkit/n8n/nodeContext';

const run = () => runOf({ getTimezone: () => 'America/New_York' }, [{ json: {} }]);
const read = (value: unknown) => readDate(run(), 0, 'Date', value)?.dateTime.toUTC().toISO();

it.each([
	['2026-03-01', '2026-03-01T05:00:00.000Z'],
	['20260301', '2026-03-01T05:00:00.000Z'],
	['2026-W09-7', '2026-03-01T05:00:00.000Z'],
	['2026W097', '2026-03-01T05:00:00.000Z'],
	['2026-060', '2026-03-01T05:00:00.000Z'],
	['2026-03', '2026-03-01T05:00:00.000Z'],
	['2026', '2026-01-01T05:00:00.000Z'],
	// What n8n's date picker saves.
	['2026-03-01T06:00:00', '2026-03-01T11:00:00.000Z'],
	[' 2026-03-01T06:00 ', '2026-03-01T11:00:00.000Z'],
	// Summer time.
	['2026-07-01T06:00', '2026-07-01T10:00:00.000Z'],
	['2026-03-01T06:00:00Z', '2026-03-01T06:00:00.000Z'],
	['2026-03-01T06:00:00.5+02:00', '2026-03-01T04:00:00.500Z'],
	[new Date('2026-03-01T06:00:00Z'), '2026-03-01T06:00:00.000Z'],
	[DateTime.fromISO('2026-03-01T06:00:00', { zone: 'Asia/Tokyo' }), '2026-02-28T21:00:00.000Z'],
])('%s is a date', (value, utc) => {
	expect(read(value)).toBe(utc);
});

it.each(['', '  ', undefined, null])('%j is an empty field', (value) => {
	expect(read(value)).toBeUndefined();
});

it.each([
	'Episode 12',
	'12',
	12,
	1_772_344_800_000,
	'1772344800000',
	'01.03.2026',
	'3/1/2026',
	'2026/03/01',
	'2026-3-1',
	'2026-13-01',
	'2026-02-30',
	'March 1, 2026',
	'06:00',
	'2026-03-01 06:00',
	'2026-03-01T25:00',
	new Date(NaN),
	DateTime.invalid('no'),
	['2026-03-01'],
	{},
	true,
])('%j is refused with an example', (value) => {
	expect(() => read(value)).toThrow(/^'Date' is not a date in ISO 8601/);
});
