import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { type ScriptedAnswer, startOpenAiServer } from '../../testkit/service/openAiServer.mts';
import type { Visit } from '../../testkit/service/servers.mts';
import type { Sandbox } from './sandbox.mts';

const toolSchema = z.object({
	name: z.string(),
	description: z.string(),
	parameters: z.object({
		properties: z.record(z.object({ type: z.string(), description: z.string().optional() })),
	}),
});

/** A text, whole or in parts, depending on the agent's version. */
const contentSchema = z
	.union([z.string(), z.array(z.object({ text: z.string() }))])
	.nullish()
	.transform((content) =>
		Array.isArray(content) ? content.map(({ text }) => text).join('') : (content ?? ''),
	);

const requestSchema = z.object({
	model: z.string(),
	messages: z.array(z.object({ role: z.string(), content: contentSchema })),
	tools: z.array(z.object({ type: z.literal('function'), function: toolSchema })),
});

function questionOf({ headers, body }: Visit) {
	const text = body.toString('utf8');
	const { model, messages, tools } = requestSchema.parse(JSON.parse(text));
	return {
		authorization: headers.authorization ?? '',
		model,
		tools: tools.map((tool) => tool.function),
		/** The tools' answers to the calls so far. */
		toolAnswers: messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
		body: text,
	};
}

export type Question = ReturnType<typeof questionOf>;

interface ToolCall {
	readonly tool: string;
	readonly input: Readonly<Record<string, string>>;
}

/** What the model does next: call tools, or say something. */
type Turn = { readonly calls: readonly ToolCall[] } | { readonly says: string };

/** Starts an OpenAI-compatible chat server on loopback with scripted answers. */
export async function startScriptedModel(sandbox: Sandbox) {
	const questions: Question[] = [];
	const script: ((question: Question) => Turn)[] = [];
	const server = await startOpenAiServer((visit) => {
		try {
			const question = questionOf(visit);
			questions.push(question);
			const next = script.shift();
			if (next === undefined) throw new Error('The script has no turn left');
			return completion(question.model, next(question));
		} catch (error) {
			// Fails the execution with this message.
			return { status: 400, body: { error: { message: String(error) } } };
		}
	});
	/** Appends turns. Each question takes the next; without one it is refused. */
	const play = (...turns: typeof script) => {
		script.push(...turns);
	};
	return { baseUrl: `${sandbox.use(server).url}/v1`, questions, play };
}

function completion(model: string, turn: Turn): ScriptedAnswer {
	const isCall = 'calls' in turn;
	const message = isCall
		? { content: null, tool_calls: turn.calls.map(toolCall) }
		: { content: turn.says };
	const choice = {
		index: 0,
		message: { role: 'assistant', ...message },
		finish_reason: isCall ? 'tool_calls' : 'stop',
	};
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	const body = { id: 'chatcmpl-1', object: 'chat.completion', created: 0, model };
	return { body: { ...body, choices: [choice], usage } };
}

/** Returns a call with a new ID: n8n's agent treats calls with the same ID as one call. */
function toolCall({ tool, input }: ToolCall): object {
	const called = { name: tool, arguments: JSON.stringify(input) };
	return { id: `call_${randomUUID()}`, type: 'function', function: called };
}
