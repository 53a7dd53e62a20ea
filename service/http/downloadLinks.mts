import type { SignedLinks } from './signedLinks.mts';

/** A signed link to a result file. */
export function downloadLink(
	links: SignedLinks,
	baseUrl: string,
	file: { jobId: string; fileName: string },
	lifetimeMs: number,
): string {
	const path = `/downloads/${file.jobId}/${encodeURIComponent(file.fileName)}`;
	return baseUrl + links.sign('GET', path, lifetimeMs);
}
