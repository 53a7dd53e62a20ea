import { InvalidArgumentError } from '@commander-js/extra-typings';

import { isWebUrl } from './contract.mts';

/** Returns a parser that accepts values that fit. It throws InvalidArgumentError with the complaint. */
function checked(isFit: (value: string) => boolean, complaint: string) {
	return (value: string): string => {
		if (isFit(value)) return value;
		throw new InvalidArgumentError(complaint);
	};
}

/** Parses any value but the empty one. */
export const text = checked((value) => value !== '', 'needs a value');

const isPlainWebUrl = (value: string) => isWebUrl(value) && !/[?#]/.test(value);
const checkedWebUrl = checked(isPlainWebUrl, 'must be an http or https URL without query');

/** Parses the URL of a web server and removes trailing slashes. */
export const webUrl = (value: string): string => checkedWebUrl(value).replace(/\/+$/, '');

/** Returns a parser for the URL of another server, which may contain a password. */
export function serverUrl(scheme: string) {
	const begin = new RegExp(`^${scheme}s?://[^/]`);
	const complaint = `must begin with ${scheme}:// or ${scheme}s:// and name a host`;
	return checked((url) => begin.test(url) && URL.canParse(url), complaint);
}

/** Returns a parser for numbers in a range, ends included. */
export function number(rule: { minimum: number; maximum?: number; whole?: true }) {
	const { minimum, maximum, whole } = rule;
	const kind = whole === true ? 'a whole number' : 'a number';
	const top = maximum === undefined ? '' : ` and at most ${maximum}`;
	const isFit = (value: string) => {
		const given = value === '' ? NaN : Number(value);
		const isInRange = given >= minimum && given <= (maximum ?? Number.MAX_SAFE_INTEGER);
		return isInRange && (whole !== true || Number.isInteger(given));
	};
	const check = checked(isFit, `must be ${kind}, at least ${minimum}${top}`);
	return (value: string): number => Number(check(value));
}

export const positive = number({ minimum: 1, whole: true });
export const notNegative = number({ minimum: 0 });
export const port = number({ minimum: 0, maximum: 65_535, whole: true });
