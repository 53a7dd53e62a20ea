import type { INodeExecutionData } from 'n8n-workflow';

/** How an execution ended, as a person sees it. */
export type End = 'done' | 'failed' | 'stopped' | 'killed';

/** What a person can see of an execution. */
export interface Seen {
	end: End;
	/** The items that left the node, of all its runs. */
	readonly items: INodeExecutionData[];
	/** The items that left by the output for unfinished edits, of the last run. */
	unfinished: readonly INodeExecutionData[];
	/** The items that left by the output for skipped recordings, of all runs. */
	readonly skipped: INodeExecutionData[];
	/** Everything that was logged or hinted. */
	readonly lines: string[];
	/** The error that ended the execution the last time. */
	error: string;
	/** The errors of the executions that this one is a retry of, which a person still sees. */
	earlierErrors: string;
}

/** What a person sees of an execution that begins. */
export function newSeen(): Seen {
	const lists = { items: [], unfinished: [], skipped: [], lines: [] };
	return { end: 'done', error: '', earlierErrors: '', ...lists };
}

/** An error as n8n shows it. */
export function textOf(error: unknown): string {
	const { message, description } = error as { message: string; description?: string | null };
	return [message, description].filter(Boolean).join(' ');
}
