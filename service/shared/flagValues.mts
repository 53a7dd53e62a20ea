import { InvalidArgumentError } from '@commander-js/extra-typings';

import type { ApiKey } from './accounts.mts';
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
export const webUrl = (value: string): string => checkedWebUrl(value).replace(/(?<!\/)\/+$/, '');

/** Returns a parser for the URL of another server, which may contain a password. */
export function serverUrl(scheme: string) {
	const begin = new RegExp(`^${scheme}s?://[^/]`);
	const complaint = `must begin with ${scheme}:// or ${scheme}s:// and name a host`;
	return checked((url) => begin.test(url) && URL.canParse(url), complaint);
}

/** Parses the URL of a PostgreSQL database. Without a host, it may name a socket: `?host=/run/postgresql`. */
export const postgresUrl = checked(
	(url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url),
	'must begin with postgres:// or postgresql://',
);

/** A bucket of S3-compatible object storage, and the prefix of all keys. */
export interface S3Place {
	bucket: string;
	/** Ends with a slash; empty for the whole bucket. */
	prefix: string;
	/** URL of the server; undefined for AWS. */
	endpoint: string | undefined;
	/** Undefined for the region that the AWS SDK finds. */
	region: string | undefined;
}

const BUCKET_PATTERN = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i;
const PREFIX_PATTERN = /^(?:\.*[\w-][\w.-]*\/)*$/;

/** Parses `s3://bucket[/prefix]`, with `endpoint` and `region` as its query. */
export function s3Place(given: string): S3Place {
	const refuse = (complaint: string) => new InvalidArgumentError(complaint);
	if (!given.startsWith('s3://') || !URL.canParse(given)) {
		throw refuse('must be s3://<bucket>[/<prefix>], with ?endpoint=…&region=… if needed');
	}
	const { host: bucket, pathname, username, searchParams: query } = new URL(given);
	if (username !== '') throw refuse('takes no credentials: put them in the environment');
	if (!BUCKET_PATTERN.test(bucket)) throw refuse('must name a bucket');
	const path = pathname.replace(/^\/|\/$/g, '');
	const prefix = path === '' ? '' : `${path}/`;
	if (!PREFIX_PATTERN.test(prefix)) {
		throw refuse('has an unsuitable prefix: between slashes, use only letters, digits, and . _ -');
	}
	const unknown = [...query.keys()].find((key) => key !== 'endpoint' && key !== 'region');
	if (unknown !== undefined) throw refuse('takes only endpoint and region in its query');
	const endpoint = query.get('endpoint') ?? undefined;
	if (endpoint !== undefined && !isPlainWebUrl(endpoint)) {
		throw refuse('has an endpoint that is not an http or https URL');
	}
	return { bucket, prefix, endpoint, region: query.get('region') ?? undefined };
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
export const wholeNotNegative = number({ minimum: 0, whole: true });
export const port = number({ minimum: 0, maximum: 65_535, whole: true });

/** At most a year. */
export const reviewHours = number({ minimum: 0, maximum: 8_760 });

/** Parses what ends a review that nobody attends to. */
export function reviewEnd(given: string): 'approve' | 'fail' {
	if (given === 'approve' || given === 'fail') return given;
	throw new InvalidArgumentError('must be approve or fail');
}

/** Adds an API key to the previous ones. */
export function addApiKey(given: string, previous: readonly ApiKey[]): readonly ApiKey[] {
	if (!/^[\x21-\x7e]+$/.test(given)) {
		throw new InvalidArgumentError('must be printable ASCII without spaces');
	}
	// A key may itself contain an equals sign, like Base64 at its end.
	const [, key = given, plan = 'standard'] = /^(.+)=([a-z]+)$/i.exec(given) ?? [];
	if (plan !== 'standard' && plan !== 'enterprise') {
		throw new InvalidArgumentError(`has no plan '${plan}', only standard and enterprise`);
	}
	if (previous.some((other) => other.key === key)) {
		throw new InvalidArgumentError('names one key twice');
	}
	return [...previous, { key, plan }];
}
