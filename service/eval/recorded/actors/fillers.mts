import type { Half } from '../speakers.mts';

/** Lines of one actor, or of two who talk to each other. */
export interface Part {
	readonly game: 'queen' | 'sky';
	readonly half: Half;
	/** What the names of the part's lines look like. */
	readonly lines: RegExp;
	/**
	 * Where a line holds an um, uh, er or hmm, in seconds. The texts of the games say in which lines; the
	 * times were read from spectrograms. In some, the next word follows without a pause.
	 */
	readonly fillers: Readonly<Record<string, readonly [start: number, end: number]>>;
	/** Lines with an "ah", or with a filler whose borders no picture shows. */
	readonly doubtful?: readonly string[];
}

/** Which half judges was decided before anything was measured. */
export const PARTS: readonly Part[] = [
	{
		game: 'queen',
		half: 'tuning',
		lines: /J\d$/,
		fillers: { '750032J1': [0.1, 0.71], '75009AJ1': [0.1, 0.98], '370032J1': [0.1, 0.98] },
		doubtful: [
			'030009J1',
			'28009AJ1',
			'80009AJ1',
			'260028J1',
			'3500B8J1',
			'1700B3J1',
			'7300CCJ1',
			'720028J1',
		],
	},
	{
		game: 'queen',
		half: 'tuning',
		lines: /^(25|26|70)....P\d$/,
		fillers: { '250006P1': [0.1, 0.58], '250032P1': [0.1, 0.88] },
		doubtful: ['250028P1', '2600A4P1', '700025P1', '7000BDP1'],
	},
	{
		game: 'queen',
		half: 'tuning',
		lines: /^35....P\d$/,
		fillers: {
			'350006P1': [0.1, 1.31],
			'350006P2': [0.1, 1.81],
			'350008P2': [0.09, 1.67],
			'350008P5': [0.1, 1.08],
			'35009CP1': [0.1, 1.47],
			'35002AP4': [0.1, 1.25],
		},
		doubtful: ['350001P1', '350029P1', '35009CP3', '350314P1', '350028P1'],
	},
	{
		game: 'queen',
		half: 'tuning',
		lines: /^36....P\d$/,
		fillers: { '360001P1': [0.1, 0.64], '360006P1': [0.1, 0.93] },
	},
	{
		game: 'queen',
		half: 'tuning',
		lines: /^48....P\d$/,
		fillers: {
			'480008P1': [0.1, 0.79],
			'4800CDP1': [0.1, 1.13],
			'48040BP1': [0.12, 0.82],
			'48040BP2': [0.09, 0.44],
		},
		doubtful: ['480008P2', '48002BP1'],
	},
	{
		game: 'queen',
		half: 'tuning',
		lines: /^57....P\d$/,
		fillers: { '57115AP1': [0.1, 1.31], '5700DBP1': [0.1, 0.74] },
	},
	{
		game: 'queen',
		half: 'tuning',
		lines: /^6[12]....P\d$/,
		fillers: { '610020P1': [0.1, 1.09], '620006P1': [0.08, 1.01], '620020P1': [0.1, 1.07] },
	},
	{
		game: 'queen',
		half: 'figures',
		lines: /^(06|07|68)....P\d$/,
		fillers: { '0700A4P1': [0.12, 0.7], '680404P1': [0.12, 0.98], '680032P1': [0.1, 1.02] },
	},
	{
		game: 'queen',
		half: 'figures',
		lines: /^0[89]....P\d$/,
		fillers: { '080391P1': [0.1, 1.37], '080392P1': [0.1, 1.35], '0900B3P1': [0.12, 1.5] },
		doubtful: ['080023P5', '09002AP1'],
	},
	{
		game: 'queen',
		half: 'figures',
		lines: /^12....P\d$/,
		fillers: { '124EB7P1': [0.1, 1.22] },
	},
	{
		game: 'queen',
		half: 'figures',
		lines: /^16....P\d$/,
		fillers: { '160023P1': [0.1, 1.15], '1600B3P1': [0.1, 1.32] },
		doubtful: ['1600D1P1'],
	},
	{
		game: 'sky',
		half: 'figures',
		lines: /^\d+$/,
		fillers: {
			51229: [0.03, 1.05],
			51300: [0.02, 0.65],
			51325: [0.02, 0.51],
			51948: [0.02, 0.54],
			52288: [0.01, 0.68],
			52642: [0.01, 0.61],
			52659: [0.01, 0.74],
			52996: [0.03, 0.51],
			53006: [0.01, 0.51],
			53104: [0, 0.56],
			53236: [0.09, 0.75],
			54039: [0.1, 0.7],
			54086: [0.01, 0.42],
			54302: [0.04, 0.48],
			54418: [0.03, 0.62],
			54464: [0, 0.75],
			54588: [0, 0.5],
			54932: [0, 0.55],
			54944: [0, 0.5],
			54974: [0.02, 0.45],
		},
		doubtful: ['51081', '53100', '50103', '52063', '52538', '53422', '54112', '55059'],
	},
];
