import { Command, Option } from '@commander-js/extra-typings';

import type { ApiKey } from './accounts.mts';
import { DEFAULT_EDIT_LIMITS } from './editLimits.mts';
import {
	addApiKey,
	notNegative,
	number,
	port,
	positive,
	postgresUrl,
	reviewEnd,
	reviewHours,
	s3Place,
	serverUrl,
	text,
	webUrl,
	wholeNotNegative,
} from './flagValues.mts';

/** A flag whose value may contain a password. Anyone on the machine can read command lines. */
function secret<Usage extends string>(usage: Usage, meaning: string) {
	return new Option(usage, `${meaning}; better in the environment`);
}

/** The folder of `--storage` unless it is given. */
export const DEFAULT_STORAGE = '.local-service';

/** Returns how this process was started, for the help. */
export function commandName(): string {
	const isScript = process.env['npm_lifecycle_event'] === 'service';
	return isScript ? 'npm run service --' : 'audio-editing-service';
}

/**
 * All flags of the local service, each also as an environment variable (`--public-url` as
 * `LOCAL_SERVICE_PUBLIC_URL`): the source of the parser,
 * `--help` and the types of the settings. Units are in the names.
 */
export const COMMAND = new Command(commandName())
	.usage('[flags]')
	.description('Local audio editing service')
	.helpOption(false)
	.exitOverride()
	.configureOutput({ writeErr: () => undefined })
	.option('--host <address>', 'address to listen on', text, '127.0.0.1')
	.option('--port <number>', 'port to listen on; 0 takes any free one', port, 8_787)
	.option(
		'--storage <folder>',
		'folder for uploads, results, the database and the generated secrets',
		text,
		DEFAULT_STORAGE,
	)
	.option(
		'--files <s3-url>',
		'S3-compatible object storage for uploads and results, s3://bucket[/prefix]?endpoint=…&region=…; default: the --storage folder',
		s3Place,
	)
	.addOption(
		new Option(
			'--api-key <key>',
			'API key to accept, repeatable; <key>=enterprise has the limits of that plan; better in the environment, with spaces between several',
		)
			.default<readonly ApiKey[]>([], 'one that is generated and kept in the storage')
			.argParser(addApiKey),
	)
	.option(
		'--public-url <url>',
		'how clients reach the service, for signed links; default http://<host>:<port>',
		webUrl,
	)
	.option(
		'--submissions-per-minute <number>',
		'POST /v2/edits, /v2/noise and /v2/upload together, per key',
		positive,
		30,
	)
	.option(
		'--enterprise-submissions-per-minute <number>',
		'the same for an enterprise key',
		positive,
		100,
	)
	.option('--status-calls-per-minute <number>', 'GET /v2/edits/{id}, per key', positive, 300)
	.option(
		'--other-calls-per-minute <number>',
		'completed tasks, templates and account, per key',
		positive,
		300,
	)
	.option(
		'--clock-speed <factor>',
		'service time runs this many times as fast: rate windows, links, retention, retry delays',
		number({ minimum: 0.001, maximum: 1_000_000 }),
		1,
	)
	.option(
		'--min-state-seconds <seconds>',
		'service seconds an edit stays at least in PENDING and in each processing state',
		notNegative,
		0,
	)
	.option(
		'--concurrency <number>',
		'edits at the same time; default: the cores; 0 with --queue: workers do all the work',
		wholeNotNegative,
	)
	.addOption(
		secret(
			'--queue <url>',
			'queue on Redis, redis(s)://…, that several processes work on; default: a queue inside this process',
		).argParser(serverUrl('redis')),
	)
	.addOption(
		secret(
			'--database <url>',
			'PostgreSQL, postgres://user:password@host/name, for processes on several machines; needs --queue; default: SQLite in the storage folder',
		).argParser(postgresUrl),
	)
	.option(
		'--worker',
		'only work on the edits in --queue, for the service with the same database and files; listens on no port',
	)
	.option(
		'--lease-seconds <seconds>',
		'with --queue: real seconds of silence after which a worker counts as dead and others get its edits',
		number({ minimum: 1, maximum: 86_400 }),
		30,
	)
	.option(
		'--retention-days <days>',
		'uploads, sources and results are deleted this long after processing',
		notNegative,
		7,
	)
	.option('--upload-link-minutes <minutes>', 'lifetime of an upload link', notNegative, 60)
	.option('--download-link-minutes <minutes>', 'lifetime of a download link', notNegative, 60)
	.option(
		'--source-size-limit-bytes <bytes>',
		'largest source taken, uploaded or fetched',
		positive,
		8_589_934_592,
	)
	.option('--max-tracks <number>', 'files that one edit may name', positive, 32)
	.option(
		'--max-queued-edits <number>',
		'unfinished edits of one key; more are answered with 429',
		positive,
		1_000,
	)
	.option(
		'--quota-bytes <bytes>',
		'uploads, fetched sources and results kept for one key; more are answered with 413',
		positive,
		107_374_182_400,
	)
	.option(
		'--source-timeout-seconds <seconds>',
		'real seconds that fetching a source or delivering a result may take',
		number({ minimum: 1, maximum: 1_000_000 }),
		1_800,
	)
	.option(
		'--max-source-hours <hours>',
		'longest recording taken, for two channels at 48 kHz; shorter with more channels or a higher rate',
		number({ minimum: 0, maximum: 1_000 }),
		12,
	)
	.option(
		'--long-silence-seconds <seconds>',
		'long_silences: a pause from this length on is shortened',
		number({ minimum: 0.2, maximum: 60 }),
		DEFAULT_EDIT_LIMITS.longSilenceSeconds,
	)
	.option(
		'--kept-pause-seconds <seconds>',
		'long_silences: how much is left of a pause of 1 s, or of the shortest one that is shortened if that is longer',
		number({ minimum: 0.1, maximum: 20 }),
		DEFAULT_EDIT_LIMITS.keptPauseSeconds,
	)
	.option(
		'--max-filler-seconds <seconds>',
		'fillers, hesitations: a longer held sound stays',
		number({ minimum: 0.1, maximum: 2 }),
		DEFAULT_EDIT_LIMITS.maxFillerSeconds,
	)
	.option(
		'--max-breath-seconds <seconds>',
		'breath: a longer breath stays',
		number({ minimum: 0.1, maximum: 1.1 }),
		DEFAULT_EDIT_LIMITS.maxBreathSeconds,
	)
	.option('--review', 'every edit that cuts waits until somebody approves its cuts')
	.option('--review-hours <hours>', 'how long an edit waits for that', reviewHours, 24)
	.option('--review-ends <how>', 'then: approve the cuts as they are, or fail', reviewEnd, 'fail')
	.option(
		'--allow-private-sources',
		'let edits reach this machine and private networks also when --host is not a loopback address',
	)
	.option(
		'--speech-model <file>',
		"model for transcription on this machine, in whisper.cpp's format; default: the largest in <storage>/models",
		text,
	)
	.option(
		'--whisper-program <file>',
		"whisper.cpp's program, which runs the speech model; default: whisper-cli on the PATH",
		text,
	)
	.option(
		'--transcription-url <url>',
		'OpenAI-compatible server for transcription, up to /v1; default: --speech-model',
		webUrl,
	)
	.addOption(secret('--transcription-key <key>', 'key of that server').argParser(text))
	.option(
		'--transcription-model <name>',
		'model of that server; it must return times of words or segments',
		text,
		'whisper-1',
	)
	.option(
		'--chat-url <url>',
		'OpenAI-compatible server that writes summaries and posts, up to /v1; default: extracts, offline',
		webUrl,
	)
	.addOption(secret('--chat-key <key>', 'key of that server').argParser(text))
	.option('--chat-model <name>', 'model of that server', text)
	.addOption(
		secret(
			'--smtp-url <url>',
			'mail server for send_email, smtp(s)://user:password@host; default: mail is put into the folder outbox',
		).argParser(serverUrl('smtp')),
	)
	.option('--mail-from <address>', 'sender of mail', text, 'audio-editing@localhost')
	.option('--mail-to <address>', "the account's e-mail", text, 'account@localhost')
	.option(
		'--templates <file>',
		'JSON file with the configurations (templates); default: three that come with it',
		text,
	)
	.option(
		'--public-page',
		'show the page with the edits of all keys to everybody who reaches it, also when --host is not a loopback address; without it the page needs a key there',
	)
	.option(
		'--public-players',
		'let the page play recordings to everybody who reaches it, also when --host is not a loopback address',
	)
	.option('--credit <number>', 'credit the account shows', wholeNotNegative, 1_000)
	.option('--json-ready', 'print `ready {"url":…,"apiKey":…}` as the first line, for programs')
	.option('--version', 'print the version')
	.option('--help', 'print this text');

// `settings.mts` reads the variables: commander ignores those set after an option was added.
for (const option of COMMAND.options) {
	const name = option.attributeName().replace(/[A-Z]/g, '_$&').toUpperCase();
	if (!['--help', '--version'].includes(option.long ?? '')) option.env(`LOCAL_SERVICE_${name}`);
}
