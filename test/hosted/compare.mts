import type { z } from 'zod';

import { isRecord } from '../../api/contract/tolerance.ts';

/** Something that the contract does not say, at a place such as `result.waveform_result`. */
export interface Finding {
	readonly call: string;
	readonly what: string;
}

/** The keys of a body; `true` for a value whose inside is not compared. */
export interface Known {
	readonly [key: string]: true | Known;
}

const SPAN = { id: true, start: true, end: true, text: true } as const;

/** The keys that the spec shows for each response. */
export const KNOWN = {
	account: { credit: { total: true, subscription: true, payg: true }, meta: true },
	upload: { signedUrl: true },
	creation: { id: true },
	configurations: { configurations: { id: true, name: true, upload_type: true } },
	edit: {
		task_id: true,
		status: true,
		result: {
			video: true,
			filename: true,
			download_url: true,
			statistics: {
				BREATH: true,
				DEADAIR: true,
				STUTTERING: true,
				MOUTH_SOUND: true,
				FILLER_SOUND: true,
			},
			transcription: {
				paragraphs: SPAN,
				transcription: { words: SPAN, paragraphs: { ...SPAN, speaker: true } },
			},
			summarization: true,
			social_content: true,
			merged_audio_url: true,
			timestamps_markers_urls: true,
			waveform_result: true,
		},
	},
	validation: { detail: { loc: true, msg: true, type: true, input: true, ctx: true } },
} as const satisfies Record<string, Known>;

/** Findings about a body: that the contract refuses it, or keys that the spec does not show. */
export function findingsIn(call: string, body: unknown, schema: z.ZodTypeAny, known: Known) {
	const parsed = schema.safeParse(body);
	const refused = parsed.success
		? []
		: parsed.error.issues.map(
				({ path, message }) => `the contract refuses '${path.join('.')}': ${message}`,
			);
	const unknown = unknownKeys(body, known, '').map((path) => `unknown key '${path}'`);
	const findings = [...refused, ...new Set(unknown)].map((what) => ({ call, what }));
	return { isRefused: !parsed.success, findings };
}

/** The paths of keys that are not known. The entries of a list share their path. */
function unknownKeys(value: unknown, known: true | Known, path: string): string[] {
	if (known === true) return [];
	if (Array.isArray(value)) return value.flatMap((entry) => unknownKeys(entry, known, path));
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, entry]) => {
		const here = path === '' ? key : `${path}.${key}`;
		const inside = Object.hasOwn(known, key) ? known[key] : undefined;
		return inside === undefined ? [here] : unknownKeys(entry, inside, here);
	});
}
