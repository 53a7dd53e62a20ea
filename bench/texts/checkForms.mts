/** What in the nodes' forms breaks a guideline. */
import type { INodeType } from 'n8n-workflow';

import { FORM_RULES, quotableLabels } from './formRules.mts';
import { isRaw, subtitlesOf } from './subtitles.mts';

/** Returns a line for each violation. */
export async function checkForms(nodes: readonly INodeType[]): Promise<string[]> {
	const labels = quotableLabels(nodes.map(({ description }) => description));
	const found: string[] = [];
	for (const node of nodes) {
		const { description } = node;
		const form = `form of ${description.displayName}`;
		for (const [name, find] of Object.entries(FORM_RULES)) {
			const broken = [...new Set(find(description, labels))];
			found.push(...broken.map((what) => `${form}: ${name}: ${what}`));
		}
		const raw = (await subtitlesOf(node)).filter((line) => isRaw(line, description));
		found.push(...raw.map((line) => `${form}: subtitles of labels: ${line}`));
	}
	return found;
}
