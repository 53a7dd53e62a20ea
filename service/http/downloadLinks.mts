import type { SignedLinks } from './signedLinks.mts';

/** Returns a signed URL for a result file. */
export function downloadLink(
	links: SignedLinks,
	baseUrl: string,
	file: { editId: string; fileName: string },
	lifetimeMs: number,
): string {
	const path = `/downloads/${file.editId}/${encodeURIComponent(file.fileName)}`;
	return baseUrl + links.sign('GET', path, lifetimeMs);
}
