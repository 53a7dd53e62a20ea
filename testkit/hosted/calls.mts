import { sanitizeText } from '../../api/sanitizeText.ts';
import { hiderOf, secretsInLink, secretsInLinksOf } from '../../api/secrets.ts';

/** A completely read response. */
export interface Answer {
	readonly status: number;
	/** The parsed body, or its text where it is no JSON. */
	readonly body: unknown;
	readonly sizeBytes: number;
	readonly contentType: string;
	readonly milliseconds: number;
}

export interface Call {
	readonly method: string;
	/** A path of the service, or a signed link. */
	readonly to: string;
	readonly json?: object;
	readonly file?: Buffer;
	/** Of the file. */
	readonly contentType?: string;
	/** Another key, or none for a signed link. */
	readonly key?: string;
}

/** A call may take this long. */
const TIMEOUT_MS = 120_000;

/** Calls the service, and knows every secret that it has met. */
export class Calls {
	private readonly secrets = new Set<string>();

	constructor(
		private readonly baseUrl: string,
		private readonly apiKey: string,
	) {
		this.secrets.add(apiKey);
		for (const secret of secretsInLink(baseUrl)) this.secrets.add(secret);
	}

	/** Scheme and host of the service. */
	get origin(): string {
		return new URL(this.baseUrl).origin;
	}

	/** Sends a request. Follows no redirect. The key goes to the service only. */
	async send({
		method,
		to,
		json,
		file,
		contentType: fileType = 'audio/wav',
		key = this.apiKey,
	}: Call): Promise<Answer> {
		const isLink = /^https?:/.test(to);
		const url = isLink ? to : this.baseUrl.replace(/\/+$/, '') + to;
		const headers: Record<string, string> = {
			...(!isLink && { 'X-API-Key': key }),
			...(json && { 'Content-Type': 'application/json' }),
			...(file && { 'Content-Type': fileType }),
		};
		const body = json === undefined ? file && new Uint8Array(file) : JSON.stringify(json);
		const begunMs = performance.now();
		const response = await fetch(url, {
			method,
			headers,
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
			...(body !== undefined && { body }),
		});
		const bytes = Buffer.from(await response.arrayBuffer());
		const contentType = response.headers.get('content-type') ?? '';
		const read = parsed(bytes, contentType);
		for (const secret of secretsInLinksOf(read)) this.secrets.add(secret);
		return {
			status: response.status,
			body: read,
			sizeBytes: bytes.length,
			contentType,
			milliseconds: Math.round(performance.now() - begunMs),
		};
	}

	/** A text without the key, signatures and queries of links. */
	hide(text: string): string {
		return sanitizeText(hiderOf([...this.secrets]).text(text));
	}

	/** The same for every text in a value. */
	hideAll(value: unknown): unknown {
		const hidden = hiderOf([...this.secrets]).value(value);
		return JSON.parse(JSON.stringify(hidden), (_key, entry: unknown) =>
			typeof entry === 'string' ? sanitizeText(entry) : entry,
		);
	}
}

function parsed(bytes: Buffer, contentType: string): unknown {
	if (!contentType.includes('json')) return bytes.length > 10_000 ? '' : bytes.toString('utf8');
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return bytes.toString('utf8');
	}
}
