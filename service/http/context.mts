import type { Accounts } from '../shared/accounts.mts';
import type { SignedLinks } from './signedLinks.mts';
import type { EditQueue } from '../queue/queue.mts';
import type { Workbench } from '../work/workbench.mts';
import type { Templates } from '../shared/templates.mts';
import type { Settings } from '../shared/settings.mts';

/** Everything the routes need. */
export interface ServiceContext {
	settings: Settings;
	accounts: Accounts;
	templates: Templates;
	links: SignedLinks;
	workbench: Workbench;
	queue: EditQueue;
	/**
	 * URLs under which this service is reached, the public one first, without a slash at the end.
	 * Known only when it listens: port 0 takes any free one.
	 */
	baseUrls: [string, ...string[]];
}
