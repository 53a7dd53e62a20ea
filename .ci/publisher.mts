import { isDeepStrictEqual } from 'node:util';

import type { Manifest } from './released.mts';

/** Addresses that nobody can have (RFC 2606). */
const NO_ADDRESS = /(\.(example|invalid|test)|@example\.(com|net|org))$/i;

/** The owner of the placeholders, in any way of writing an address of GitHub. */
const NO_OWNER = /[/:]audio-editing-nodes(\/|$)/i;

/** The owner and name of a repository in an address of GitHub. */
const REPOSITORY = /github\.com[/:]([^/]+\/[^/#]+?)(\.git)?([/#]|$)/i;

/** Returns what is left of the placeholders in the one place that has them, and what is wrong there. */
export function placeholders({ author, homepage, bugs, repository }: Manifest): string[] {
	const { name = '', email = '' } = typeof author === 'string' ? {} : author;
	const urls = { 'repository.url': repository.url, homepage, bugs };
	return [
		...(name === '' || !email.includes('@')
			? ['author has to be an object with a name and an email']
			: []),
		...(NO_ADDRESS.test(email) ? [`author.email is ${email}, a placeholder`] : []),
		...Object.entries(urls).flatMap(([key, url]) =>
			NO_OWNER.test(url) ? [`${key} is ${url}, a placeholder`] : [],
		),
		...(isRepository(repository.url)
			? []
			: [`repository.url is ${repository.url}: not this repository on GitHub`]),
	];
}

/** Returns what the service's package.json says of the publisher that the nodes' does not. */
export function publisherFaults(nodes: Manifest, service: Manifest): string[] {
	const address = repositoryAddress(nodes);
	const wanted = {
		author: nodes.author,
		bugs: nodes.bugs,
		homepage: `${address}/tree/main/service#readme`,
		repository: { ...nodes.repository, directory: 'service' },
	};
	return Object.entries(wanted).flatMap(([key, value]) =>
		isDeepStrictEqual(service[key as keyof typeof wanted], value)
			? []
			: [`${key} in service/package.json has to be ${JSON.stringify(value)}`],
	);
}

/** Whether an address names a repository on GitHub: the one in which this runs, if it runs there. */
function isRepository(url: string, own = process.env['GITHUB_REPOSITORY']): boolean {
	const path = REPOSITORY.exec(url)?.[1];
	return path !== undefined && path.toLowerCase() === (own ?? path).toLowerCase();
}

/** Returns the repository's address in a browser, where links to its files begin. */
export function repositoryAddress({ repository: { url } }: Pick<Manifest, 'repository'>): string {
	const path = REPOSITORY.exec(url)?.[1];
	if (path === undefined) throw new Error(`repository.url is ${url}: not a repository on GitHub`);
	return `https://github.com/${path}`;
}

/** Returns the texts to look for in other files: the author's address and the owner of the repository. */
export function publisherTexts({ author, repository }: Manifest): string[] {
	const email = typeof author === 'string' ? undefined : author.email;
	const owner = REPOSITORY.exec(repository.url)?.[1].split('/')[0];
	return [...(email ? [email] : []), ...(owner ? [`github.com/${owner}/`] : [])];
}

/** Something that only the owner of the packages can do. */
interface OwnersTask {
	readonly what: string;
	/** What package.json has now. */
	readonly now: string;
	readonly todo: string;
}

const DONE = 'nothing';

/**
 * Returns what only the owner can do before the first release.
 *
 * @param nodes the nodes' package.json
 * @param names the names of all packages
 */
export function ownersTasks(nodes: Manifest, names: readonly string[]): readonly OwnersTask[] {
	const { author, repository } = nodes;
	const { name = '', email = '' } = typeof author === 'string' ? { name: author } : author;
	const left = placeholders(nodes);
	const isLeft = (keys: RegExp) => left.some((fault) => keys.test(fault));
	return [
		{
			what: 'Repository',
			now: repository.url,
			todo: isLeft(/^(repository|homepage|bugs)/)
				? 'create a public repository on GitHub; set repository.url, homepage and bugs'
				: DONE,
		},
		{
			what: 'Author',
			now: name,
			todo: `set author.name to the maintainer of the packages on npm, in LICENSE, too`,
		},
		{
			what: 'Mailbox',
			now: email,
			todo: isLeft(/^author/) ? 'set author.email to an address that somebody reads' : DONE,
		},
		{
			what: 'Names on npm',
			now: names.join(', '),
			todo: 'publish version 0.0.0 of each by hand, and let npm trust publish.yml: docs/development/releases.md',
		},
		{
			what: 'n8n',
			now: 'not asked',
			todo: 'ask whether a package for a service without a name can be verified: docs/development/verification.md',
		},
	];
}
