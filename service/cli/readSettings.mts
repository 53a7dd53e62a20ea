import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

import type { ApiKey } from '../shared/accounts.mts';
import { isWebUrl } from '../shared/contract.mts';
import {
	isLoopback,
	type MailSettings,
	type OpenAiServerSettings,
	type QueueSettings,
	type Settings,
} from '../shared/settings.mts';
import { FLAGS, type Flag, type FlagName } from './flags.mts';

/** Thrown for a command line that cannot be understood; the message is for the person who typed it. */
export class WrongUsage extends Error {
	override readonly name = 'WrongUsage';
}

type FlagValues = Record<string, string | boolean | Array<string | boolean> | undefined>;

/** The flags as `node:util` wants them described. */
function parserOptions(): ParseArgsOptionsConfig {
	return Object.fromEntries(
		FLAGS.map((flag: Flag) => [
			flag.name,
			{
				type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
				multiple: flag.repeatable === true,
				...(flag.default === undefined ? {} : { default: flag.default }),
			},
		]),
	);
}

/** The raw values of the flags. @throws WrongUsage for an unknown flag or a missing value. */
function readFlags(args: readonly string[]): FlagValues {
	try {
		return parseArgs({ args: [...args], options: parserOptions(), strict: true }).values;
	} catch (error) {
		throw new WrongUsage(error instanceof Error ? error.message : String(error));
	}
}

/** The text of a flag. @throws WrongUsage when it was given as an empty text. */
function textOf(values: FlagValues, name: FlagName): string | undefined {
	const value = values[name];
	if (value === '') throw new WrongUsage(`--${name} needs a value`);
	return typeof value === 'string' ? value : undefined;
}

interface NumberRule {
	minimum: number;
	maximum?: number;
	whole?: true;
}

/** The number in a flag. @throws WrongUsage when it is none or out of range. */
function numberOf(values: FlagValues, name: FlagName, rule: NumberRule, fallback = NaN): number {
	const text = textOf(values, name);
	const number = text === undefined ? fallback : Number(text);
	const maximum = rule.maximum ?? Number.MAX_SAFE_INTEGER;
	const fits = number >= rule.minimum && number <= maximum;
	if (!fits || (rule.whole === true && !Number.isInteger(number))) {
		const kind = rule.whole === true ? 'a whole number' : 'a number';
		const top = rule.maximum === undefined ? '' : ` and at most ${rule.maximum}`;
		throw new WrongUsage(`--${name} must be ${kind}, at least ${rule.minimum}${top}`);
	}
	return number;
}

/** The public URL without slashes at its end. @throws WrongUsage when it is no http(s) URL. */
function publicUrlOf(values: FlagValues): string | undefined {
	const text = textOf(values, 'public-url');
	if (text !== undefined && (!isWebUrl(text) || /[?#]/.test(text))) {
		throw new WrongUsage('--public-url must be an http or https URL without query');
	}
	return text?.replace(/\/+$/, '');
}

/** The keys given on the command line. @throws WrongUsage for a key that no header can carry. */
function apiKeysOf(values: FlagValues): ApiKey[] {
	const given = values['api-key'];
	const keys = Array.isArray(given) ? given.map(String) : [];
	if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key))) {
		throw new WrongUsage('--api-key must be printable ASCII without spaces');
	}
	const apiKeys = keys.map(apiKeyOf);
	if (new Set(apiKeys.map(({ key }) => key)).size < apiKeys.length) {
		throw new WrongUsage('--api-key names one key twice');
	}
	return apiKeys;
}

function apiKeyOf(text: string): ApiKey {
	// A key may itself hold an equals sign, as Base64 does at its end.
	const [, key = text, plan = 'standard'] = /^(.+)=([a-z]+)$/i.exec(text) ?? [];
	if (plan === 'standard' || plan === 'enterprise') return { key, plan };
	throw new WrongUsage(`--api-key knows no plan '${plan}': standard or enterprise`);
}

/** The server of a group of flags. @throws WrongUsage when its URL is none or its model is missing. */
function openAiServerOf(
	values: FlagValues,
	group: 'transcription' | 'chat',
	keyVariable: string,
): OpenAiServerSettings | undefined {
	const url = textOf(values, `${group}-url`);
	if (url === undefined) return undefined;
	if (!isWebUrl(url) || /[?#]/.test(url)) {
		throw new WrongUsage(`--${group}-url must be an http or https URL without query`);
	}
	const model = textOf(values, `${group}-model`);
	if (model === undefined) throw new WrongUsage(`--${group}-url needs --${group}-model`);
	const key = textOf(values, `${group}-key`) ?? process.env[keyVariable];
	return { url: url.replace(/\/+$/, ''), key, model };
}

/** How mail goes out. @throws WrongUsage for a URL that is none of a mail server. */
function mailSettingsOf(values: FlagValues): MailSettings {
	const smtpUrl = textOf(values, 'smtp-url') ?? process.env['LOCAL_SERVICE_SMTP_URL'];
	if (smtpUrl !== undefined && !/^smtps?:\/\/[^/]/.test(smtpUrl)) {
		throw new WrongUsage('--smtp-url must begin with smtp:// or smtps:// and name a host');
	}
	return {
		smtpUrl,
		from: textOf(values, 'mail-from') ?? '',
		to: textOf(values, 'mail-to') ?? '',
	};
}

/** The queue on Redis, if any. @throws WrongUsage for flags that do not go together. */
function queueOf(values: FlagValues): QueueSettings | undefined {
	const url = textOf(values, 'queue') ?? process.env['LOCAL_SERVICE_QUEUE'];
	const leaseSeconds = numberOf(values, 'lease-seconds', { minimum: 1, maximum: 86_400 });
	if (url === undefined) {
		if (values['worker'] === true) throw new WrongUsage('--worker needs --queue');
		return undefined;
	}
	if (!/^rediss?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
		throw new WrongUsage('--queue must begin with redis:// or rediss:// and name a host');
	}
	if (Number(values['clock-speed']) !== 1) {
		throw new WrongUsage(
			'--clock-speed does not go with --queue: each process has a clock of its own',
		);
	}
	return { url, leaseSeconds };
}

/** Edits worked on at once. @throws WrongUsage when nobody would work. */
function concurrencyOf(values: FlagValues, queue: QueueSettings | undefined): number {
	const isFront = queue !== undefined && values['worker'] !== true;
	const rule = { minimum: isFront ? 0 : 1, whole: true } as const;
	return numberOf(values, 'concurrency', rule, availableParallelism());
}

/** Reads the command line (without `node` and the script). @throws WrongUsage */
export function readSettings(args: readonly string[]): Settings {
	const values = readFlags(args);
	const host = textOf(values, 'host') ?? '127.0.0.1';
	const whole = { minimum: 1, whole: true } as const;
	const queue = queueOf(values);
	return {
		host,
		port: numberOf(values, 'port', { minimum: 0, maximum: 65_535, whole: true }),
		storageFolder: resolve(textOf(values, 'storage') ?? '.local-service'),
		apiKeys: apiKeysOf(values),
		publicUrl: publicUrlOf(values),
		submissionsPerMinute: numberOf(values, 'submissions-per-minute', whole),
		enterpriseSubmissionsPerMinute: numberOf(values, 'enterprise-submissions-per-minute', whole),
		statusCallsPerMinute: numberOf(values, 'status-calls-per-minute', whole),
		clockSpeed: numberOf(values, 'clock-speed', { minimum: 0.001, maximum: 1_000_000 }),
		minimumStateSeconds: numberOf(values, 'minimum-state-seconds', { minimum: 0 }),
		concurrency: concurrencyOf(values, queue),
		queue,
		worker: values['worker'] === true,
		retentionDays: numberOf(values, 'retention-days', { minimum: 0 }),
		uploadLinkMinutes: numberOf(values, 'upload-link-minutes', { minimum: 0 }),
		downloadLinkMinutes: numberOf(values, 'download-link-minutes', { minimum: 0 }),
		sourceSizeLimitBytes: numberOf(values, 'source-size-limit-bytes', whole),
		mostTracks: numberOf(values, 'most-tracks', whole),
		mostQueuedEdits: numberOf(values, 'most-queued-edits', whole),
		quotaBytes: numberOf(values, 'quota-bytes', whole),
		sourceTimeoutSeconds: numberOf(values, 'source-timeout-seconds', {
			minimum: 1,
			maximum: 1_000_000,
		}),
		longestSourceHours: numberOf(values, 'longest-source-hours', { minimum: 0, maximum: 1_000 }),
		allowPrivateSources: values['allow-private-sources'] === true || isLoopback(host),
		text: {
			transcription: openAiServerOf(values, 'transcription', 'LOCAL_SERVICE_TRANSCRIPTION_KEY'),
			chat: openAiServerOf(values, 'chat', 'LOCAL_SERVICE_CHAT_KEY'),
		},
		mail: mailSettingsOf(values),
		templatesFile: textOf(values, 'templates'),
		publicPage: values['public-page'] === true,
		publicPlayers: values['public-players'] === true || isLoopback(host),
		credit: numberOf(values, 'credit', { minimum: 0, whole: true }),
		jsonReady: values['json-ready'] === true,
		help: values.help === true,
	};
}
