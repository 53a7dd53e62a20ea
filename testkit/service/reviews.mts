import assert from 'node:assert/strict';

import { z } from 'zod';

import { editCreationSchema, type EditRequest } from '../../service/shared/contract.mts';
import { cutSchema, type Cut } from '../../service/shared/cuts.mts';
import { eventually } from '../time/eventually.mts';
import { send, type Answer, type Client } from './client.mts';

const stateSchema = z.object({
	edit_id: z.string(),
	title: z.string(),
	state: z.enum(['waiting', 'approved', 'finished', 'failed']),
	revision: z.number(),
	review_until: z.string().datetime(),
	approved_by: z.string().nullable(),
	failure_reason: z.string().nullable(),
	mode: z.enum(['cut', 'mute']),
	sample_rate: z.number(),
	samples: z.number(),
	gain_db: z.number(),
	loudness: z.object({ before_lufs: z.number(), after_lufs: z.number() }).nullable(),
	cuts: z.array(cutSchema),
	result_url: z.string().nullable(),
});

const track = { name: z.string(), seconds: z.number() };
const pageStateSchema = stateSchema.extend({
	tracks: z.array(z.object({ ...track, peaks_per_second: z.number(), peaks: z.string() })),
	words: z.array(z.object({ text: z.string(), start: z.number(), end: z.number() })).nullable(),
});

const linkSchema = z.object({ review_url: z.string().url().optional() });

interface DecisionBody {
	revision: number;
	cuts?: ReadonlyArray<Record<string, unknown>>;
	approve?: boolean;
	name?: string;
}

/** The review of an edit, as its link shows it. */
export class Review {
	constructor(
		readonly id: string,
		/** With its signature. */
		readonly link: string,
	) {}

	/** Returns the URL below the review. */
	at(below: string, query = ''): string {
		const [path, signature] = this.link.split('?');
		return `${path}${below}?${signature}${query}`;
	}

	async state() {
		const answer = await send('GET', this.at('/state'));
		assert.equal(answer.status, 200, answer.text);
		return pageStateSchema.strict().parse(answer.json);
	}

	async put(body: DecisionBody): Promise<Answer> {
		return await send('PUT', this.at('/cuts'), { body });
	}

	async decide(body: DecisionBody) {
		const answer = await this.put(body);
		assert.equal(answer.status, 200, answer.text);
		return stateSchema.strict().parse(answer.json);
	}

	/** Asks for an edit that changes the cuts of this finished one, and returns its review. */
	async again(client: Client): Promise<Review> {
		const answer = await send('POST', this.at('/again'));
		assert.equal(answer.status, 200, answer.text);
		return await reviewOf(client, editCreationSchema.parse(answer.json).id);
	}
}

/** Puts the first of the cuts back, and no other. */
export function onlyFirstKept(cuts: readonly Cut[]): Cut[] {
	return cuts.map((cut, index) => ({ ...cut, keep: index === 0 }));
}

/** Waits until an edit waits for its review. */
export async function reviewOf(client: Client, id: string): Promise<Review> {
	return await eventually(`edit ${id} waits`, async () => {
		const { status, text, json } = await client.call('GET', `/v2/edits/${id}`);
		assert.ok(status === 200 && !/SUCCESS|FAILURE/.test(text), text);
		const { review_url: link } = linkSchema.parse(json);
		return link === undefined ? undefined : new Review(id, link);
	});
}

/** Creates an edit and waits until it waits for its review. */
export async function reviewed(client: Client, input: EditRequest['input']): Promise<Review> {
	const answer = await client.call('POST', '/v2/edits', { body: { input } });
	assert.equal(answer.status, 200, answer.text);
	assert.ok(linkSchema.parse(answer.json).review_url, 'its creation has the link');
	return await reviewOf(client, editCreationSchema.parse(answer.json).id);
}
