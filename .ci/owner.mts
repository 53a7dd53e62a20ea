/**
 * `npm run release -- owner`: what only the owner of the packages can do before the first release, in one list.
 * Everything else that a release needs is in `npm run release -- check`.
 */
import { ownersTasks } from './publisher.mts';
import { PACKAGES, ROOT, readManifest } from './released.mts';

const manifests = await Promise.all(
	PACKAGES.map(async ({ folder }) => await readManifest(ROOT, folder)),
);
const tasks = ownersTasks(
	manifests[0],
	manifests.map(({ name }) => name),
);
console.log(
	'Only you can do this. Where a value is wanted, it goes into package.json of the root folder.\n',
);
for (const { what, now, todo } of tasks) console.log(`${what}\n  now    ${now}\n  to do  ${todo}`);
