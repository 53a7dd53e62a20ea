import type { EditResult } from '../../api/contract';
import { onOneLine } from '../values';

/** The labels of the speakers of a transcript, such as `SPEAKER_00` or `Speaker 1`, in order. */
export function speakerLabels(result: EditResult | undefined): string[] {
	const turns = result?.transcription?.transcription?.paragraphs ?? [];
	const labels = new Set(turns.map(({ speaker }) => onOneLine(speaker)));
	return [...labels].filter((label) => label !== '').sort();
}

/** The numbers of the speakers' tracks by their labels, where the service says them for every speaker. */
export function statedTracks(result: EditResult | undefined): ReadonlyMap<string, number> {
	const turns = result?.transcription?.transcription?.paragraphs ?? [];
	const tracks = new Map<string, number>();
	for (const { speaker, track } of turns) {
		if (!Number.isSafeInteger(track)) return new Map();
		tracks.set(onOneLine(speaker), track as number);
	}
	return tracks;
}

/** The result without the labels of its speakers: a transcript of one voice needs none. */
export function withoutSpeakers(result: EditResult): EditResult {
	const { transcription } = result;
	const said = transcription?.transcription;
	if (said === undefined) return result;
	const transcript = { ...transcription!, transcription: { ...said, paragraphs: [] } };
	return { ...result, transcription: transcript };
}

/** The result with the names of its speakers instead of their labels. Labels without a name stay. */
export function withSpeakerNames(
	result: EditResult | undefined,
	names: ReadonlyMap<string, string>,
): EditResult | undefined {
	const { transcription } = result ?? {};
	const said = transcription?.transcription;
	if (said === undefined || names.size === 0) return result;
	const paragraphs = said.paragraphs.map((turn) => ({
		...turn,
		speaker: names.get(onOneLine(turn.speaker)) ?? turn.speaker,
	}));
	return {
		...result!,
		transcription: { ...transcription!, transcription: { ...said, paragraphs } },
	};
}

/**
 * The names of the tracks' files for the labels of their speakers. The number in a label is the number of
 * the track, from 0 in labels such as `SPEAKER_00` and from 1 in labels such as `Speaker 1`.
 *
 * @param files the names of the files, in the order of the tracks
 * @returns none if the labels do not fit the files, or if there is one speaker: a service that heard all
 * tracks in one file gives everybody the same label
 */
export function trackNames(
	labels: readonly string[],
	files: readonly string[],
): ReadonlyMap<string, string> {
	const numbers = labels.map((label) => Number(/(\d{1,3})$/.exec(label)?.[1] ?? NaN));
	const first = labels.some((label) => /_\d+$|\b0+$/.test(label)) ? 0 : 1;
	return namesByLabel(
		labels,
		numbers.map((number) => files[number - first]),
	);
}

/** The same where the service says the track of each speaker. */
export function statedTrackNames(
	tracks: ReadonlyMap<string, number>,
	files: readonly string[],
): ReadonlyMap<string, string> {
	return namesByLabel(
		[...tracks.keys()],
		[...tracks.values()].map((track) => files[track]),
	);
}

/** The names of files without their extensions, by the labels of their speakers. */
function namesByLabel(
	labels: readonly string[],
	names: ReadonlyArray<string | undefined>,
): ReadonlyMap<string, string> {
	if (labels.length < 2 || names.includes(undefined)) return new Map();
	const pairs = labels.map((label, index) => [label, onOneLine(names[index] ?? '')] as const);
	return new Map(pairs.map(([label, name]) => [label, name.replace(/\.[a-z0-9]{1,8}$/i, '')]));
}
