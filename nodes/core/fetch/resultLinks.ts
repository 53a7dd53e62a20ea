import type { Edit } from '../../../api/contract';

/** The links of a result, each once, by the kind of file. */
export interface ResultLinks {
	readonly edited: string | null;
	readonly merged: readonly string[];
	readonly markers: readonly string[];
}

/** The links of an edit's result; only those of some kinds, if these are given. */
export function linksOf(
	{ result }: Pick<Edit, 'result'>,
	kinds: ReadonlyArray<keyof ResultLinks> = ['edited', 'merged', 'markers'],
): ResultLinks {
	const { merged_audio_url: merged = [], audio_for_edl_urls: forEdl = [] } = result ?? {};
	const ofKind = (kind: keyof ResultLinks, links: readonly string[] = []) =>
		kinds.includes(kind) ? [...new Set(links)].filter(Boolean) : [];
	return {
		edited: ofKind('edited', [result?.download_url ?? '']).at(0) ?? null,
		merged: ofKind('merged', [...merged, ...forEdl]),
		markers: ofKind('markers', result?.timestamps_markers_urls),
	};
}
