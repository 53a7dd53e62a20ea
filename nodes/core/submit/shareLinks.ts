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

/** The sites that document no direct links. */
const PAGE_SITES = [
	page('Google Drive', "n8n's Google Drive node", ({ hostname, pathname }) => {
		if (/^(\/u\/\d+)?\/uc$/.test(pathname)) return false;
		return /^(docs|drive)\.google\.com$|^photos\.app\.goo\.gl$/.test(hostname);
	}),
	page('OneDrive', "n8n's Microsoft OneDrive node", ({ hostname, pathname, searchParams }) => {
		if (/^(1drv\.ms|onedrive\.live\.com)$/.test(hostname))
			return !/\/download(\.aspx)?$/.test(pathname);
		return hostname.endsWith('.sharepoint.com') && isSharePointPage(pathname, searchParams);
	}),
	page('Box', "n8n's Box node", ({ hostname, pathname }) => {
		return /(^|\.)box\.com$/.test(hostname) && /^\/(s|file|folder)\//.test(pathname);
	}),
	page('WeTransfer', undefined, ({ hostname }) => {
		// `download.` serves the files themselves.
		return (
			hostname !== 'download.wetransfer.com' && /^(we\.tl|(.+\.)?wetransfer\.com)$/.test(hostname)
		);
	}),
	page('iCloud', undefined, ({ hostname }) => /^((www|share)\.)?icloud\.com$/.test(hostname)),
	page('A video or podcast site', undefined, ({ hostname, pathname }) => {
		if (hostname === 'player.vimeo.com') return !VIMEO_FILE.test(pathname);
		return /^(((www|m|music)\.)?youtube\.com|youtu\.be|(www\.)?vimeo\.com|open\.spotify\.com|spotify\.link|podcasts\.apple\.com|((www|m|on)\.)?soundcloud\.com)$/.test(
			hostname,
		);
	}),
];

/**
 * The link to the file itself.
 *
 * @param link an absolute http or https URL
 */
export function directLink(link: string): DirectLink | PageLink {
	const url = new URL(link);
	if (isDropboxPage(url)) return dropboxFile(url);
	return PAGE_SITES.find(({ isPage }) => isPage(url))?.pageLink ?? { ok: true, url: link };
}

/** A site that documents no direct links. `fetchedWith` is n8n's node for its files, if there is one. */
function page(name: string, fetchedWith: string | undefined, isPage: (url: URL) => boolean) {
	const fetching = fetchedWith === undefined ? '' : ` with ${fetchedWith}`;
	const pageLink: PageLink = {
		ok: false,
		reason: `(${name} shows a page there, which cannot be edited).`,
		advice: `Enter a link that leads straight to the file, or bring the file into n8n${fetching} and put Upload before this node.`,
	};
	return { isPage, pageLink };
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
