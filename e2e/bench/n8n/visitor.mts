import { setTimeout as sleep } from 'node:timers/promises';

import type { Editor } from '../../support/pages/editor.mts';

/** How long one request of a person at the editor took. */
export interface Answer {
	readonly atMs: number;
	readonly tookMs: number;
}

/** The editor's page, and what it loads when a person opens a list. */
const PATHS = ['/', '/rest/settings', '/rest/workflows'];

const EVERY_MS = 1_000;

/** Opens the editor's page and lists every second, until it is stopped. */
export class Visitor {
	readonly answers: Answer[] = [];

	private isLeaving = false;

	private readonly visits: Promise<void>;

	constructor(private readonly editor: Editor) {
		this.visits = this.visit();
	}

	/** @throws if n8n did not answer one of the requests */
	async leave(): Promise<void> {
		this.isLeaving = true;
		await this.visits;
	}

	private async visit(): Promise<void> {
		while (!this.isLeaving) {
			for (const path of PATHS) {
				const atMs = Date.now();
				const began = performance.now();
				await this.editor.open(path);
				this.answers.push({ atMs, tookMs: performance.now() - began });
			}
			await sleep(EVERY_MS);
		}
	}
}
