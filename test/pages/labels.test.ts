/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import { readFileSync, readdirSync } from 'fs';
import { join } from 'path';

import { blocksOf } from '../../testkit/text/markdown';
import { labelsIn } from '../../testkit/n8n/namedFields';
import { OUR_CREDENTIALS, OUR_NODES } from '../../testkit/n8n/ourNodes';

const RECIPES = 'docs/recipes';
const PAGES = [
	...readdirSync(RECIPES).map((name) => join(RECIPES, name)),
	'docs/agents.md',
	'docs/options.md',
	'docs/troubleshooting.md',
	'service/README.md',
];

/** What n8n, its nodes and its credentials call their own things. */
const OF_N8N = [
	'Execute workflow',
	'Execute step',
	'Executions',
	'Retry',
	'Settings',
	'Error Workflow',
	'On Error',
	'Retry On Fail',
	'Stop Workflow',
	'Continue (using error output)',
	'Edit Fields',
	'with currently saved workflow',
	'Defined automatically by the model',
	'System Message',
	'Crypto',
	'Dropbox OAuth2',
	'Header Auth',
	'S3',
	'Slack',
	'SMTP',
	'Telegram',
	'Continue',
	'WordPress',
	'YouTube OAuth2',
	'Force Path Style',
	'Restrict to Chat IDs',
	'Content',
	'Google Drive',
	'Google Sheets',
	'Notion',
	'Privacy Status',
	'WhatsApp API',
	'WhatsApp OAuth',
	// Of Zoom.
	'All Recordings have completed',
	'Record an audio only file',
	'Secret Token',
];

const FORMS = [
	...Object.values(OUR_CREDENTIALS),
	...Object.values(OUR_NODES).map(({ description }) => description),
];

const LABELS = [
	...OF_N8N,
	...FORMS.map(({ displayName }) => displayName),
	...FORMS.flatMap(({ properties }) => labelsIn(properties)),
];

/** Returns what a page has in italics, without parts of error messages, which fill their lines. */
function labelsOf(page: string): string[] {
	const prose = blocksOf(page).reduce((text, block) => text.replace(block.text, ''), page);
	const lines = prose.split('\n').filter((line) => !/^_.*_$/.test(line));
	const text = lines
		.join(' ')
		.replace(/`[^`]*`/g, '')
		.replace(/\s+/g, ' ');
	return [...text.matchAll(/(?<![\w])_([^_]+)_(?![\w])/g)].map(([, label]) => label);
}

it('the pages of recipes and answers have labels in italics', () => {
	expect(PAGES.flatMap((path) => labelsOf(readFileSync(path, 'utf8'))).length).toBeGreaterThan(100);
});

/** Returns the labels that a page names and neither our forms nor n8n have. */
function misquotedLabels(page: string): string[] {
	return labelsOf(page).filter((label) => !LABELS.includes(label));
}

it.each(PAGES)('%s names only labels that the forms have', (path) => {
	expect(misquotedLabels(readFileSync(path, 'utf8'))).toEqual([]);
});

it('finds a label that no form has, across lines, but not in code', () => {
	const page = 'Switch on _Maximum Wait (Minutes)_, _Maximum\nWaiting_ and `_Other_`.';
	expect(misquotedLabels(page)).toEqual(['Maximum Waiting']);
});
