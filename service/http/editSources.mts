import type { ServiceContext } from './context.mts';
import type { EditRequest, KitKey, LocalSettings } from '../shared/contract.mts';
import { fileNameOfUrl } from '../shared/fileNames.mts';
import type { KitPlace } from '../shared/showKit.mts';
import type { EditSource, StoredRequest } from '../store/edit.mts';
import { ValidationProblem } from './protocol/problems.mts';

/** The path of an uploaded file ends in `/uploads/<id>/<name>`. */
const UPLOAD_PATH_PATTERN = /\/uploads\/([0-9a-f-]{36})\/[^/?#]+$/;

/**
 * Returns the source for a file URL: an upload, or a URL to fetch. Ignores the query of an upload's
 * URL. For an upload of the same key it also ignores the host, which a restart may have changed.
 */
export async function sourceOf(
	url: string,
	ownerId: string,
	{ baseUrls, tools }: ServiceContext,
): Promise<EditSource> {
	const name = fileNameOfUrl(url);
	const [bareUrl = ''] = url.split(/[?#]/);
	const { origin, pathname } = new URL(bareUrl);
	const uploadId = UPLOAD_PATH_PATTERN.exec(pathname)?.[1];
	if (uploadId === undefined) return { kind: 'url', url, name };
	const upload = await tools.uploads.find(uploadId);
	const isOurs =
		baseUrls.some((base) => bareUrl.startsWith(`${base}/uploads/`)) ||
		(upload !== undefined && origin === tools.files.remoteOrigin);
	const isUpload = isOurs || upload?.ownerId === ownerId;
	return isUpload ? { kind: 'upload', uploadId, name } : { kind: 'url', url, name };
}

/** A file of a show, with its place and its key. */
interface KitFile {
	readonly url: string;
	readonly place: KitPlace;
	readonly key: KitKey;
}

/** Returns the files of a show that settings name. */
export function kitFilesOf({ intro, outro, inserts = [] }: LocalSettings): KitFile[] {
	return [
		...(intro === undefined ? [] : [{ url: intro, place: 'intro', key: 'intro' } as const]),
		...inserts.map(({ url, at_seconds: atSeconds, at_chapter: atChapter }) => {
			const place: KitPlace =
				atChapter === undefined ? { atSeconds: atSeconds ?? 0 } : { atChapter };
			return { url, place, key: 'inserts' } as const;
		}),
		...(outro === undefined ? [] : [{ url: outro, place: 'outro', key: 'outro' } as const]),
	];
}

/**
 * Returns the sources of a show's intro, outro and inserts.
 * @throws ValidationProblem where an edit keeps a picture, or delivers each track as a file.
 */
export async function kitSourcesOf(
	local: LocalSettings,
	{ config, files }: Pick<StoredRequest, 'config'> & { files: EditRequest['input']['files'] },
	ownerId: string,
	context: ServiceContext,
): Promise<StoredRequest['kit']> {
	const kit = kitFilesOf(local);
	for (const { key } of kit) {
		if (config.video) refuse(key, "Cannot be used with 'config.video'");
		if (files.length > 1 && !config.merge) {
			refuse(key, "Several tracks need 'config.merge' for it");
		}
	}
	return await Promise.all(
		kit.map(async ({ url, place }) => ({ source: await sourceOf(url, ownerId, context), place })),
	);
}

function refuse(key: KitKey, msg: string): never {
	const loc = ['body', 'input', 'local', key];
	throw new ValidationProblem([{ type: 'value_error', loc, msg, input: null }]);
}
