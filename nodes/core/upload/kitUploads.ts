import type { Configuration } from '../config/readConfiguration';
import type { KitPart } from '../config/showKit';
import { hashOf } from '../ledger/identity';
import type { NodeRun } from '../run/nodeRun';
import { readSources } from './source';
import { uploadFiles } from './uploadFiles';

/**
 * The same configuration with a URL for each file of its show. What several items have in common is uploaded once,
 * and what was uploaded earlier in this execution is not uploaded again.
 *
 * @throws NodeApiError or NodeOperationError if a file cannot be sent
 */
export async function withUploadedKit(
	run: NodeRun,
	itemIndex: number,
	configuration: Configuration,
): Promise<Configuration> {
	const { kit } = configuration;
	if (kit === undefined) return configuration;
	const parts: KitPart[] = [];
	for (const part of kit) {
		const { field } = part;
		parts.push(field === undefined ? part : { ...part, url: await urlOf(run, itemIndex, field) });
	}
	return { ...configuration, kit: parts };
}

/** Whether a part of a show has to be uploaded. */
export function hasKitToUpload({ kit = [] }: Configuration): boolean {
	return kit.some(({ url }) => url === undefined);
}

/** All items share one note of what was uploaded. */
const SHARED = 0;

async function urlOf(run: NodeRun, itemIndex: number, field: string): Promise<string> {
	const { id, data, fileName } = run.items[itemIndex].binary?.[field] ?? {};
	const key = hashOf(['kit', fileName, id ?? data, run.node.credentials]);
	const earlier = run.ledger.uploadedFiles(SHARED, key)?.[0];
	if (earlier !== undefined) return earlier;
	const begun = run.kitUploads.get(key);
	if (begun !== undefined) return await begun;
	const uploading = upload(run, itemIndex, field, key);
	run.kitUploads.set(key, uploading);
	// The next item may have more luck.
	uploading.catch(() => run.kitUploads.delete(key));
	return await uploading;
}

async function upload(
	run: NodeRun,
	itemIndex: number,
	field: string,
	key: string,
): Promise<string> {
	const chosen = { fields: [field], given: {}, isOneOf: true };
	const sources = await readSources(run, itemIndex, chosen);
	const [{ fileUrl }] = await uploadFiles(run, itemIndex, sources, chosen);
	run.ledger.noteUploads(SHARED, key, [fileUrl]);
	return fileUrl;
}
