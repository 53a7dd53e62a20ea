import { z } from 'zod';

import { reply, startOutsideServer, type OutsideServer, type Visit } from './servers.mts';

/** What a scripted model answers with: a status and a body, JSON unless it is a text. */
export interface ScriptedAnswer {
	status?: number;
	body: unknown;
}

const chatSchema = z.object({
	model: z.string(),
	messages: z.array(z.object({ role: z.string(), content: z.string() })),
	response_format: z.object({ type: z.string() }),
});

/** A request to a chat model. */
export type ChatRequest = z.infer<typeof chatSchema>;

/** A request for a transcription. */
export interface TranscriptionRequest {
	fields: Record<string, string[]>;
	/** The file that came. */
	wav: Buffer;
	seconds: number;
}

/** The chat request in a visit. */
export function chatRequestOf(visit: Visit): ChatRequest {
	return chatSchema.parse(JSON.parse(visit.body.toString('utf8')));
}

/** The transcription request in a visit: its multipart body, taken apart. */
export function transcriptionRequestOf({ headers, body }: Visit): TranscriptionRequest {
	const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1] ?? '';
	const fields: Record<string, string[]> = {};
	let wav: Buffer = Buffer.alloc(0);
	for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
		const gap = part.indexOf('\r\n\r\n');
		const [head, content] = [part.slice(0, gap), part.slice(gap + 4, -2)];
		const name = /name="([^"]+)"/.exec(head)?.[1] ?? '';
		if (head.includes('filename=')) wav = Buffer.from(content, 'latin1');
		else (fields[name] ??= []).push(content);
	}
	return { fields, wav, seconds: (wav.length - 44) / 32_000 };
}

/** The answer of a chat model that says this. */
export function said(content: unknown): ScriptedAnswer {
	const text = typeof content === 'string' ? content : JSON.stringify(content);
	return { body: { choices: [{ message: { role: 'assistant', content: text } }] } };
}

/** Starts a scripted OpenAI-compatible server; `before` counts earlier visits. */
export async function startOpenAiServer(
	answer: (visit: Visit, before: number) => ScriptedAnswer,
): Promise<OutsideServer> {
	return await startOutsideServer((visit, response, before) => {
		const { status = 200, body } = answer(visit, before);
		response.setHeader('Content-Type', 'application/json');
		reply(response, status, typeof body === 'string' ? body : JSON.stringify(body));
	});
}
