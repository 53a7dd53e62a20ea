import type { Accounts } from './accounts.mts';
import type { SignedLinks } from './http/signedLinks.mts';
import type { JobQueue } from './jobs/queue.mts';
import type { JobRoom } from './jobs/run.mts';
import type { Settings } from './settings.mts';
import type { Templates } from './templates.mts';

/** Everything the routes need. */
export interface ServiceContext {
	settings: Settings;
	accounts: Accounts;
	templates: Templates;
	links: SignedLinks;
	room: JobRoom;
	queue: JobQueue;
	/**
	 * URLs under which this service is reached, the public one first, without a slash at the end.
	 * Known only when it listens: port 0 takes any free one.
	 */
	baseUrls: [string, ...string[]];
}
