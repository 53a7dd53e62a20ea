import { testMp3Parts } from '../service/support/mp3Parts.mts';

for (const rates of [
	[16_000, 16_000, 1],
	[16_000, 44_100, 1],
	[48_000, 48_000, 1],
] as const) {
	await testMp3Parts(rates);
}
