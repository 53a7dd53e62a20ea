/*
 * Links from a share button lead to a web page about the file. The service would fetch that page, and the
 * edit would end with FAILURE. So these links become direct links if the host documents how, and are
 * refused otherwise.
 */

/** A link to a file. */
export interface DirectLink {
	readonly ok: true;
	readonly url: string;
	/** A hint for the person that says what was changed. */
	readonly message?: string;
}

interface PageLink {
	readonly ok: false;
	/** What the link leads to; follows its address in the error's message. */
	readonly reason: string;
	readonly advice: string;
}

/** Vimeo's links to files, for paying accounts. */
const VIMEO_FILE = /^\/(external|progressive_redirect)\//;

/** A site that documents no direct links. */
interface PageSite {
	readonly name: string;
	/** n8n's node for its files, if there is one. */
	readonly fetchedWith?: string;
	readonly isPage: (url: URL) => boolean;
}

const PAGE_SITES: readonly PageSite[] = [
	{
		name: 'Google Drive',
		fetchedWith: "n8n's Google Drive node",
		isPage: ({ hostname, pathname }) => {
			if (/^(\/u\/\d+)?\/uc$/.test(pathname)) return false;
			return /^(docs|drive)\.google\.com$|^photos\.app\.goo\.gl$/.test(hostname);
		},
	},
	{
		name: 'OneDrive',
		fetchedWith: "n8n's Microsoft OneDrive node",
		isPage: ({ hostname, pathname, searchParams }) => {
			if (/^(1drv\.ms|onedrive\.live\.com)$/.test(hostname))
				return !/\/download(\.aspx)?$/.test(pathname);
			return hostname.endsWith('.sharepoint.com') && isSharePointPage(pathname, searchParams);
		},
	},
	{
		name: 'Box',
		fetchedWith: "n8n's Box node",
		isPage: ({ hostname, pathname }) => {
			return /(^|\.)box\.com$/.test(hostname) && /^\/(s|file|folder)\//.test(pathname);
		},
	},
	{
		name: 'WeTransfer',
		isPage: ({ hostname }) => {
			// `download.` serves the files themselves.
			return (
				hostname !== 'download.wetransfer.com' && /^(we\.tl|(.+\.)?wetransfer\.com)$/.test(hostname)
			);
		},
	},
	{
		name: 'iCloud',
		isPage: ({ hostname }) => /^((www|share)\.)?icloud\.com$/.test(hostname),
	},
	{
		name: 'A video or podcast site',
		isPage: ({ hostname, pathname }) => {
			if (hostname === 'player.vimeo.com') return !VIMEO_FILE.test(pathname);
			return /^(((www|m|music)\.)?youtube\.com|youtu\.be|(www\.)?vimeo\.com|open\.spotify\.com|spotify\.link|podcasts\.apple\.com|((www|m|on)\.)?soundcloud\.com)$/.test(
				hostname,
			);
		},
	},
];

/**
 * The link to the file itself.
 *
 * @param link an absolute http or https URL
 */
export function directLink(link: string): DirectLink | PageLink {
	const url = new URL(link);
	if (isDropboxPage(url)) return dropboxFile(url);
	const site = PAGE_SITES.find(({ isPage }) => isPage(url));
	return site === undefined ? { ok: true, url: link } : pageLinkOf(site);
}

function pageLinkOf({ name, fetchedWith }: PageSite): PageLink {
	const fetching = fetchedWith === undefined ? '' : ` with ${fetchedWith}`;
	return {
		ok: false,
		reason: `(${name} shows a page there, which cannot be edited).`,
		advice: `Enter a link that leads straight to the file, or bring the file into n8n${fetching} and put Audio Editing Upload before this node.`,
	};
}

function isDropboxPage({ hostname, pathname, searchParams }: URL): boolean {
	if (!/^(www\.)?dropbox\.com$/.test(hostname)) return false;
	const isShared = /^\/(s|sh|scl|t|home)\//.test(pathname);
	return isShared && searchParams.get('dl') !== '1' && searchParams.get('raw') !== '1';
}

/** Dropbox documents `dl=1` for the file. It would send a folder as a ZIP archive. */
function dropboxFile(url: URL): DirectLink | PageLink {
	if (/^\/(sh|scl\/fo|t|home)\//.test(url.pathname)) {
		const reason = '(This Dropbox link leads to a folder or a web page).';
		return { ok: false, reason, advice: 'Share the file itself and enter its link.' };
	}
	const direct = new URL(url);
	direct.searchParams.set('dl', '1');
	return {
		ok: true,
		url: direct.toString(),
		message: 'A Dropbox link to a web page; its direct form (dl=1) was sent instead.',
	};
}

/** `/:u:/…` and `/:v:/…` are pages about a file; with `download=1` SharePoint sends the file. */
function isSharePointPage(pathname: string, query: URLSearchParams): boolean {
	const isPage = /^\/:[a-z]:\//.test(pathname) || pathname.endsWith('/onedrive.aspx');
	return isPage && query.get('download') !== '1';
}
