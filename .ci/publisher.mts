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
	const urls = { homepage, bugs, 'repository.url': repository.url };
	const found = Object.entries(urls).map(([key, url]) => {
		return { key, url, path: REPOSITORY.exec(url)?.[1].toLowerCase() };
	});
	return [
		...(name === '' || !email.includes('@')
			? ['author has to be an object with a name and an email']
			: []),
		...(NO_ADDRESS.test(email) ? [`author.email is ${email}, a placeholder`] : []),
		...found.flatMap(({ key, url, path }) => {
			if (NO_OWNER.test(url)) return [`${key} is ${url}, a placeholder`];
			if (path !== undefined && path === found[0].path) return [];
			return [`${key} is ${url}: not a repository on GitHub, or another than the homepage`];
		}),
	];
}

/** Returns the texts to look for in other files: the author's address and the owner of the repository. */
export function publisherTexts({ author, homepage }: Manifest): string[] {
	const email = typeof author === 'string' ? undefined : author.email;
	const owner = REPOSITORY.exec(homepage)?.[1].split('/')[0];
	return [...(email ? [email] : []), ...(owner ? [`github.com/${owner}/`] : [])];
}
