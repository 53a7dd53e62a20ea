import { pathId } from '../../api/sanitizeText';

const refused = (reason: string) => ({ ok: false, reason });

describe('an id as part of a path', () => {
	it.each([
		['abc-123_X.y~', 'abc-123_X.y~'],
		['  padded  ', 'padded'],
		[12, '12'],
		['a..', 'a..'],
		['..a', '..a'],
		['übung', '%C3%BCbung'],
		['a&b=c:d', 'a%26b%3Dc%3Ad'],
		['x'.repeat(200), 'x'.repeat(200)],
	])('is encoded: %j', (id, segment) => {
		expect(pathId(id)).toEqual({ ok: true, segment });
	});

	it.each([[''], ['   '], ['undefined'], ['null'], [undefined], [null], [true], [{}], [['a']]])(
		'is refused when it is empty: %j',
		(id) => {
			expect(pathId(id)).toEqual(refused('is empty'));
		},
	);

	it('is refused from 201 characters on', () => {
		expect(pathId('x'.repeat(201))).toEqual(refused('is too long to be an ID'));
	});

	it.each(['a/b', 'a\\b', 'a b', 'a?b', 'a#b', 'a%2Fb', 'a\u0000b', 'a\u007fb', '.', '..', '...'])(
		'is refused when it could be a path: %j',
		(id) => {
			expect(pathId(id)).toEqual(
				refused('contains characters that no ID has, such as slashes or spaces'),
			);
		},
	);
});
