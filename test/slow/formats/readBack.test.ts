/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they start processes */
import { spawnSync } from 'child_process';

it('other readers find in every output what an episode of each kind says', () => {
	const args = ['--import', 'tsx', 'bench/evaluate.mts', 'formats', '--episodes', '10'];
	const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	// Before it, the command names the packages that this machine lacks.
	const bar = 'bar outputs read back equal: 130 of 130 (goal >= 130 of 130) ok';
	expect(stdout.trimEnd().split('\n').at(-1)).toBe(bar);
});
