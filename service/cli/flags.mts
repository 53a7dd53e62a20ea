/** One command-line flag; the table below makes the parser, `--help` and the README's table agree. */
export interface Flag {
	readonly name: string;
	/** What the value stands for; absent for a flag without a value. */
	readonly value?: string;
	readonly default?: string;
	readonly repeatable?: true;
	readonly meaning: string;
}

/** Every flag of the local service. Units are in the names. */
export const FLAGS = [
	{ name: 'host', value: 'address', default: '127.0.0.1', meaning: 'address to listen on' },
	{
		name: 'port',
		value: 'number',
		default: '8787',
		meaning: 'port to listen on; 0 takes any free one',
	},
	{
		name: 'storage',
		value: 'folder',
		default: '.local-service',
		meaning: 'folder for uploads, results, the database and the generated secrets',
	},
	{
		name: 'api-key',
		value: 'key',
		repeatable: true,
		meaning:
			'API key to accept, repeatable; <key>=enterprise has the limits of that plan; without it one is generated and kept in the storage',
	},
	{
		name: 'public-url',
		value: 'url',
		meaning: 'how clients reach the service, for signed links; default http://<host>:<port>',
	},
	{
		name: 'submissions-per-minute',
		value: 'number',
		default: '30',
		meaning: 'POST /v2/edits, /v2/noise and /v2/upload together, per key',
	},
	{
		name: 'enterprise-submissions-per-minute',
		value: 'number',
		default: '100',
		meaning: 'the same for an enterprise key',
	},
	{
		name: 'status-calls-per-minute',
		value: 'number',
		default: '300',
		meaning: 'GET /v2/edits/{id}, per key',
	},
	{
		name: 'clock-speed',
		value: 'factor',
		default: '1',
		meaning:
			'service time runs so many times as fast: rate windows, links, retention, retry delays',
	},
	{
		name: 'minimum-state-seconds',
		value: 'seconds',
		default: '0',
		meaning: 'service seconds an edit stays at least in PENDING and in each processing state',
	},
	{
		name: 'concurrency',
		value: 'number',
		meaning: 'edits worked on at once; default: the cores; 0 with --queue: workers do it all',
	},
	{
		name: 'queue',
		value: 'url',
		meaning:
			'queue on Redis, redis(s)://…, that several processes of this machine work on; better in the environment: LOCAL_SERVICE_QUEUE; default: a queue inside this process',
	},
	{
		name: 'worker',
		meaning: 'only work on the edits in --queue, for the service that shares --storage; no port',
	},
	{
		name: 'lease-seconds',
		value: 'seconds',
		default: '30',
		meaning:
			'with --queue: real seconds of silence after which a worker is taken for dead and its edits are given to others',
	},
	{
		name: 'retention-days',
		value: 'days',
		default: '7',
		meaning: 'uploads, sources and results are deleted so long after processing',
	},
	{
		name: 'upload-link-minutes',
		value: 'minutes',
		default: '60',
		meaning: 'life of an upload link',
	},
	{
		name: 'download-link-minutes',
		value: 'minutes',
		default: '60',
		meaning: 'life of a download link',
	},
	{
		name: 'source-size-limit-bytes',
		value: 'bytes',
		default: '8589934592',
		meaning: 'largest source taken, uploaded or fetched',
	},
	{
		name: 'most-tracks',
		value: 'number',
		default: '32',
		meaning: 'files that one edit may name',
	},
	{
		name: 'most-queued-edits',
		value: 'number',
		default: '1000',
		meaning: 'edits of one key that have not ended; more are answered with 429',
	},
	{
		name: 'quota-bytes',
		value: 'bytes',
		default: '107374182400',
		meaning: 'uploads, fetched sources and results kept for one key; more are answered with 413',
	},
	{
		name: 'source-timeout-seconds',
		value: 'seconds',
		default: '1800',
		meaning: 'real seconds that fetching a source or delivering a result may take',
	},
	{
		name: 'longest-source-hours',
		value: 'hours',
		default: '12',
		meaning:
			'longest recording taken, for two channels at 48 kHz; shorter with more channels or a higher rate',
	},
	{
		name: 'allow-private-sources',
		meaning:
			'let edits reach this machine and private networks also when --host is not a loopback address',
	},
	{
		name: 'transcription-url',
		value: 'url',
		meaning:
			'OpenAI-compatible server for transcription, up to /v1; default: pocketsphinx where installed',
	},
	{
		name: 'transcription-key',
		value: 'key',
		meaning: 'key of that server; better in the environment: LOCAL_SERVICE_TRANSCRIPTION_KEY',
	},
	{
		name: 'transcription-model',
		value: 'name',
		default: 'whisper-1',
		meaning: 'model of that server; it must give word times',
	},
	{
		name: 'chat-url',
		value: 'url',
		meaning:
			'OpenAI-compatible server that writes summaries and posts, up to /v1; default: extracts, offline',
	},
	{
		name: 'chat-key',
		value: 'key',
		meaning: 'key of that server; better in the environment: LOCAL_SERVICE_CHAT_KEY',
	},
	{ name: 'chat-model', value: 'name', meaning: 'model of that server' },
	{
		name: 'smtp-url',
		value: 'url',
		meaning:
			'mail server for send_email, smtp(s)://user:password@host; better in the environment: LOCAL_SERVICE_SMTP_URL; default: mail is put into the folder outbox',
	},
	{
		name: 'mail-from',
		value: 'address',
		default: 'audio-editing@localhost',
		meaning: 'sender of mail',
	},
	{
		name: 'mail-to',
		value: 'address',
		default: 'account@localhost',
		meaning: "the account's e-mail",
	},
	{
		name: 'templates',
		value: 'file',
		meaning: 'JSON file with the configurations (templates); default: three that come with it',
	},
	{
		name: 'public-page',
		meaning:
			'show the page with the edits of all keys to everybody who reaches it, also when --host is not a loopback address; without it the page needs a key there',
	},
	{
		name: 'public-players',
		meaning:
			'let the page play recordings to whoever reaches it, also when --host is not a loopback address',
	},
	{ name: 'credit', value: 'number', default: '1000', meaning: 'credit the account shows' },
	{
		name: 'json-ready',
		meaning: 'print `ready {"url":…,"apiKey":…}` as the first line, for programs',
	},
	{ name: 'help', meaning: 'print this text' },
] as const satisfies readonly Flag[];

/** The name of a flag. */
export type FlagName = (typeof FLAGS)[number]['name'];

/** The text that `--help` prints. */
export function helpText(): string {
	const rows = FLAGS.map((flag: Flag) => {
		const usage = `--${flag.name}${flag.value === undefined ? '' : ` <${flag.value}>`}`;
		const fallback = flag.default === undefined ? '' : ` (default ${flag.default})`;
		return `  ${usage.padEnd(36)}${flag.meaning}${fallback}`;
	});
	return ['Local audio editing service', '', 'npm run service -- [flags]', '', ...rows].join('\n');
}
