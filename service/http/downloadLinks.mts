import type { FileStore, RunName } from '../store/files/fileStore.mts';
import type { ServiceClock } from '../shared/clock.mts';
import type { SignedLinks } from './signedLinks.mts';

/** Returns a signed URL for a result file, on this service or in the object storage. */
export async function downloadLink(
	{ files, links, clock }: { files: FileStore; links: SignedLinks; clock: ServiceClock },
	baseUrl: string,
	file: RunName & { fileName: string },
	lifetimeMs: number,
): Promise<string> {
	const place = await files.resultPlace(file, file.fileName, clock.realMs(lifetimeMs));
	if ('url' in place) return place.url;
	const path = `/downloads/${file.editId}/${encodeURIComponent(file.fileName)}`;
	return baseUrl + links.sign('GET', path, lifetimeMs);
}
