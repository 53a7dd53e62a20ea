/** What an amplitude is multiplied by for a gain in dB. */
export function factorOf(decibels: number): number {
	return 10 ** (decibels / 20);
}
