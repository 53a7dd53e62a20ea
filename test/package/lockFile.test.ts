import lock from '../../package-lock.json';

it('names the address of each package, so that npm ci need not ask for it', () => {
	const packages: Record<string, { integrity?: string; resolved?: string }> = lock.packages;
	const unnamed = Object.entries(packages).filter(([, { integrity, resolved }]) => {
		return integrity !== undefined && !resolved?.startsWith('https://registry.npmjs.org/');
	});
	expect(unnamed.map(([path]) => path)).toEqual([]);
});
