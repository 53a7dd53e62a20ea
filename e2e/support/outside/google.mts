import { type Answer, type Asked, jsonOf } from '../standIn.mts';

export interface DriveFile {
	readonly id: string;
	readonly name: string;
	readonly mimeType: string;
	readonly content: Buffer;
}

const API = 'https://www.googleapis.com';

/** A file that is sent in pieces, and what is known about it. */
interface Sending {
	readonly about: Readonly<Record<string, unknown>>;
	readonly pieces: Buffer[];
}

/**
 * Google's resumable uploads: a request says what comes and gets an address, which takes the pieces.
 *
 * Sources: https://developers.google.com/workspace/drive/api/guides/manage-uploads#resumable,
 * https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 */
class Uploads {
	readonly sent: Sending[] = [];

	begin(asked: Asked) {
		const id = this.sent.push({ about: jsonOf(asked), pieces: [] }) - 1;
		return { headers: { Location: `${API}${asked.path}?upload_id=${id}` }, body: {} };
	}

	take({ query, headers, body }: Asked) {
		const id = Number(query.get('upload_id'));
		this.sent[id].pieces.push(body);
		const [, last, size] = /-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
		return Number(last) + 1 < Number(size) ? { status: 308 } : { body: { id: String(id) } };
	}
}

/**
 * Google Drive with these files, a sheet and YouTube.
 *
 * Sources: https://developers.google.com/workspace/drive/api/reference/rest/v3/files,
 * https://developers.google.com/workspace/sheets/api/reference/rest,
 * https://developers.google.com/youtube/v3/docs
 */
export class Google {
	/** The rows of the sheet. */
	readonly rows: string[][] = [['File', 'Result', 'Details', 'Link']];

	/** The bodies of requests for subtitles. */
	readonly captions: string[] = [];

	private readonly toDrive = new Uploads();

	private readonly toYouTube = new Uploads();

	/** @param lost the name of a file that Drive stores without its last bytes */
	constructor(
		private readonly files: readonly DriveFile[],
		private readonly lost = '',
	) {}

	/** What was stored on Drive. */
	get saved() {
		return this.toDrive.sent.map(({ about, pieces }) => ({
			name: String(about['name']),
			content: Buffer.concat(pieces),
		}));
	}

	/** What was sent to YouTube. */
	get videos() {
		return this.toYouTube.sent.map(({ about, pieces }) => ({
			snippet: about['snippet'] as Readonly<Record<string, string>>,
			content: Buffer.concat(pieces),
		}));
	}

	/** Answers a request. */
	readonly answer: Answer = (asked) => {
		if (asked.headers.authorization !== 'Bearer token' && asked.method !== 'PUT')
			return { status: 401 };
		const { path } = asked;
		if (path.startsWith('/drive/v3/files/')) return this.file(asked);
		if (path.startsWith('/v4/spreadsheets/')) return this.sheet(asked);
		if (path === '/upload/youtube/v3/captions') {
			this.captions.push(String(asked.body));
			return { body: { id: 'caption' } };
		}
		const uploads = path.includes('youtube') ? this.toYouTube : this.toDrive;
		return asked.method === 'POST' ? uploads.begin(asked) : uploads.take(asked);
	};

	private file({ method, path, query }: Asked) {
		const id = path.split('/').at(-1) ?? '';
		if (method === 'PATCH') {
			const { name, content } = this.saved[Number(id)];
			const size = String(content.length - (name.startsWith(this.lost || '/') ? 1 : 0));
			return { body: { id, name, size, webViewLink: `https://drive.google.com/file/d/${id}` } };
		}
		const file = this.files.find((one) => one.id === id);
		if (file === undefined) return { status: 404 };
		const { name, mimeType, content } = file;
		if (query.get('alt') !== 'media') return { body: { name, mimeType } };
		return { body: content, headers: { 'Content-Type': mimeType } };
	}

	private sheet(asked: Asked) {
		const { path, method } = asked;
		if (path.includes(':batchUpdate')) return { body: {} };
		if (!path.includes('/values/')) {
			const properties = { sheetId: 0, title: 'Edits', gridProperties: { rowCount: 9 } };
			return { body: { sheets: [{ properties }] } };
		}
		if (method === 'GET') return { body: { values: this.rows } };
		const { values } = jsonOf(asked) as { values: string[][] };
		this.rows.push(...values);
		return { body: {} };
	}
}
