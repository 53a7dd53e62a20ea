/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they start processes */
import { spawnSync } from 'child_process';

/** Without the runner, which first names the Debian packages that a machine lacks. */
const CODE = `
	import { printBars } from './bench/bars.mts';
	import { formatsBar } from './bench/formats/formatsBar.mts';
	printBars([await formatsBar(10)]);`;

it('other readers find in every output what an episode of each kind says', () => {
	const args = ['--import', 'tsx', '--input-type=module', '--eval', CODE];
	const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	expect(stdout + stderr).toBe('bar outputs read back equal: 130 of 130 (goal >= 130 of 130) ok\n');
});
