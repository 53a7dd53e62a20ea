import type { INodeProperties } from 'n8n-workflow';

import type { EditResult } from '../../../../api/contract';
import {
	speakerLabels,
	statedTrackNames,
	statedTracks,
	trackNames,
	withSpeakerNames,
	withoutSpeakers,
} from '../../../../formats/transcript/speakerNames';
import { onOneLine } from '../../../../formats/values';
import type { Options } from '../../form/values';
import { readText } from '../../texts';
import type { SourceNames } from '../../files/sourceNames';
import type { NodeRun } from '../../run/nodeRun';

/** What the form says about the speakers of a recording. */
export interface SpeakerForm {
	readonly people: readonly NamedSpeaker[];
	/** Undefined if the form leaves it to the service: whether that says the track of each speaker. */
	readonly fromTracks?: boolean;
}

interface NamedSpeaker {
	readonly label: string;
	readonly name: string;
	/** The person's role in a feed item: `host`, `guest`, or empty to leave the person out of it. */
	readonly role: string;
}

/** The options that name the speakers. */
export const SPEAKER_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Name Speakers After Tracks',
		name: 'speakersFromTracks',
		type: 'boolean',
		default: true,
		description:
			"Whether to name each speaker after their track's file, such as anna for anna.wav. Applies to recordings with several tracks. Without this option, it is done if the service says which track each speaker is on. Names under 'Speakers' take precedence.",
	},
	{
		displayName: 'Speakers',
		name: 'speakers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add speaker',
		default: {},
		description: 'The names of the speakers in everything that is made from the transcript',
		options: [
			{
				displayName: 'Speaker',
				name: 'speaker',
				values: [
					{
						displayName: 'Label',
						name: 'label',
						type: 'string',
						default: '',
						placeholder: 'e.g. SPEAKER_00',
						description: 'What the transcript calls the speaker, such as SPEAKER_00 or Speaker 1',
					},
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. Anna',
						description: 'The name to show instead',
					},
					{
						displayName: 'Role in Feed',
						name: 'role',
						type: 'options',
						default: '',
						description: 'The role of the person in the feed item',
						options: [
							{ name: 'Guest', value: 'guest' },
							{ name: 'Host', value: 'host' },
							{ name: 'Not in the Feed', value: '' },
						],
					},
				],
			},
		],
	},
];

/** Reads the speakers from the node's options. Rows without a name are ignored. */
export function readSpeakers({ speakers, speakersFromTracks }: Options): SpeakerForm {
	const { speaker: rows = [] } = speakers ?? {};
	const people = rows.map((row) => ({
		label: onOneLine(readText(row.label)),
		name: onOneLine(readText(row.name)),
		role: readText(row.role),
	}));
	return {
		people: people.filter(({ name }) => name !== ''),
		fromTracks: speakersFromTracks,
	};
}

/**
 * The result with the names of its speakers, or without labels if it has one voice without a name. Adds a hint for a
 * label that the transcript does not have.
 *
 * @param sourceFileNames the names of the recording's tracks, if it has several
 */
export function nameSpeakers(
	run: NodeRun,
	result: EditResult | undefined,
	{ people, fromTracks }: SpeakerForm,
	{ editId, sourceFileNames = [] }: SourceNames & { readonly editId: string },
): EditResult | undefined {
	const labels = speakerLabels(result);
	const names = new Map(
		fromTracks
			? trackNames(labels, sourceFileNames)
			: statedTrackNames(fromTracks === false ? new Map() : statedTracks(result), sourceFileNames),
	);
	for (const { label, name } of people) {
		const found = labels.find((one) => one.toLowerCase() === label.toLowerCase());
		if (found !== undefined) names.set(found, name);
		else if (labels.length > 0 && label !== '') {
			const there = `It has ${labels.join(', ')}. Correct 'Label' under 'Speakers'.`;
			run.hints.add(`the transcript has no speaker '${label}'. ${there}`, `edit ${editId}`);
		}
	}
	const isOneVoice = labels.length === 1 && !names.has(labels[0]);
	return result && isOneVoice ? withoutSpeakers(result) : withSpeakerNames(result, names);
}
