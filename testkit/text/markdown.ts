/** A fenced block: its info string, and its content. */
export interface Block {
	readonly language: string;
	readonly text: string;
}

const FENCE = /^```(\w*)\n([^]*?)^```$/gm;

/** Returns the fenced blocks of a text. */
export function blocksOf(markdown: string): Block[] {
	return [...markdown.matchAll(FENCE)].map(([, language, text]) => ({ language, text }));
}

/** Returns the texts in backticks within the lines. */
export function codeOf(markdown: string): string[] {
	return [...prose(markdown).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
}

/** Returns the targets of all links and images, in Markdown and in HTML. */
export function targetsOf(markdown: string): string[] {
	const text = prose(markdown).replace(/`[^`\n]+`/g, '');
	const links = [...text.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)];
	const tags = [...text.matchAll(/\b(?:src|href|srcset)="([^"]+)"/g)];
	return [...links, ...tags].map(([, target]) => target);
}

/** Returns the anchors that GitHub creates for the headings of a text. */
export function anchorsOf(markdown: string): string[] {
	const taken = new Map<string, number>();
	return [...prose(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
		const slug = heading
			.trim()
			.toLowerCase()
			.replace(/\]\([^)]*\)/g, ']')
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-');
		const before = taken.get(slug) ?? 0;
		taken.set(slug, before + 1);
		return before === 0 ? slug : `${slug}-${before}`;
	});
}

/** Returns the cells of each row in the table whose first columns have these headings. */
export function tableOf(markdown: string, ...headings: readonly string[]): string[][] {
	const lines = markdown.split('\n');
	const start = lines.findIndex((line) => {
		const cells = cellsOf(line);
		return headings.every((heading, index) => cells[index] === heading);
	});
	if (start < 0) throw new Error(`There is no table with ${headings.join(', ')}`);
	const rest = lines.slice(start + 2);
	const end = rest.findIndex((line) => !line.startsWith('|'));
	return rest.slice(0, end < 0 ? undefined : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
	return line
		.split('|')
		.slice(1, -1)
		.map((cell) => cell.trim());
}

function prose(markdown: string): string {
	return markdown.replace(FENCE, '');
}
