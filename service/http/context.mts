import type { Accounts } from '../shared/accounts.mts';
import type { SharedLimits } from './protocol/rateLimits.mts';
import type { SignedLinks } from './signedLinks.mts';
import type { EditQueue } from '../queue/queue.mts';
import type { StorageTools } from '../work/editTools.mts';
import type { Templates } from '../shared/templates.mts';
import type { Settings } from '../shared/settings.mts';

/** Everything the routes need. */
export interface ServiceContext {
	settings: Settings;
	accounts: Accounts;
	templates: Templates;
	links: SignedLinks;
	/** Where several processes count their requests together; undefined for a single process. */
	sharedLimits: SharedLimits;
	tools: StorageTools;
	queue: EditQueue;
	/**
	 * The URLs of this service, the public one first, without a trailing slash. Final only once it
	 * listens, because port 0 takes any free port.
	 */
	baseUrls: [string, ...string[]];
}
