import { inLines, listed } from '../../nodes/shared/form/texts';

const names = (count: number) => Array.from({ length: count }, (_name, index) => `n${index}`);

it('names the first entries and counts the rest', () => {
	expect(listed(names(3), 3)).toBe('n0, n1, n2');
	expect(listed(names(5), 3)).toBe('n0, n1, n2 and 2 more');
});

it('names every entry, 100 in a line', () => {
	expect(inLines([])).toEqual([]);
	expect(inLines(names(100))).toEqual([names(100).join(', ')]);
	expect(inLines(names(101))).toEqual([names(100).join(', '), 'n100']);
});
