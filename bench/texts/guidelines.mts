/** The points of n8n's verification and UX guidelines, as docs/verification.md names them. */
const POINTS = [
	'n8n-node tool',
	'Not an existing node',
	'No logic or flow nodes',
	'One third-party service',
	'Repository URL',
	'Author',
	'Public repository',
	'Documentation',
	'MIT licence',
	'GitHub action, provenance',
	'No dependencies',
	'No environment, no files',
	'Linter passes',
	'English only',
	'Password fields',
	'OAuth',
	'Common operations',
	'Resource locator',
	"Delete's output",
	'Simplify, Output for tools',
	'Text case',
	"The service's words",
	'No jargon',
	'Consistent naming',
	'Placeholders',
	'Name, action, description',
	'Field names in quotes',
	'Whether',
	'What happened, what to do',
	'No error, problem, failure',
	'Codex',
];

/** Returns the points that no line such as `- **Author:** the same everywhere` answers. */
export function unansweredPoints(markdown: string): string[] {
	const answered = [...markdown.matchAll(/^- \*\*(.+):\*\* \S/gm)].map(([, point]) => point);
	return POINTS.filter((point) => !answered.includes(point));
}
