import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Thresholds may be chosen by the speakers of the tuning half. The figures half only judges. */
export type Half = 'tuning' | 'figures';

/** One recorded file of a speaker. */
export interface Prompt {
	path: string;
	/** What is said, where the package says so. */
	text?: string;
}

/** A real person whose recordings a Debian package holds. */
export interface Speaker {
	name: string;
	/** As in ISO 639. */
	language: string;
	half: Half;
	prompts: Prompt[];
}

/** Where a speaker's files are. */
interface Place {
	name: string;
	language: string;
	/** Decided before anything was measured, and never changed since. */
	half: Half;
	folder: string;
	pattern: string;
	/** The package's list of what each file says. */
	textsPath?: string;
}

const ASTERISK = '/usr/share/asterisk/sounds';
const DOCS = '/usr/share/doc';
const KTUBERLING = '/usr/share/ktuberling/sounds';

/** The English and the Spanish voice of Asterisk are one person: both are in the same half. */
const PLACES: readonly Place[] = [
	asterisk('Allison', 'en', 'tuning', 'en_US_f_Allison'),
	asterisk('Allison', 'es', 'tuning', 'es_MX_f_Allison'),
	asterisk('Carlo', 'it', 'tuning', 'it_IT_m_Carlo'),
	asterisk('June', 'fr', 'figures', 'fr_CA_f_June'),
	asterisk('Ivrvoice', 'ru', 'figures', 'ru_RU_f_IvrvoiceRU'),
	{
		name: 'Menardi',
		language: 'it',
		half: 'figures',
		folder: join(ASTERISK, 'it_IT_f_Menardi'),
		pattern: '{,digits/,letters/}*.wav',
	},
	{
		name: 'LibriVox',
		language: 'en',
		half: 'figures',
		folder: '/usr/share/pocketsphinx/test/data/librivox',
		pattern: '*.wav',
	},
	...['ca', 'de', 'en', 'lt', 'ru', 'sl'].map((language) => ktuberling(language, 'tuning')),
	...['da', 'el', 'gl', 'nn', 'uk', 'wa'].map((language) => ktuberling(language, 'figures')),
];

/** Beeps, tones and a monkey. */
const NOT_SPEECH = /beep|tone|monkeys|^tt-|silence|^confbridge/;

/** The speakers of one half whose recordings are installed here. */
export function speakersOf(half: Half): Speaker[] {
	return PLACES.filter((place) => place.half === half && existsSync(place.folder)).map((place) => {
		const { name, language, folder, pattern, textsPath } = place;
		const texts = textsPath === undefined ? new Map<string, string>() : textsOf(textsPath);
		const prompts = globSync(join(folder, pattern))
			.filter((path) => !NOT_SPEECH.test(basename(path)))
			.sort()
			.map((path) => ({ path, text: texts.get(relative(folder, path).replace(/\.\w+$/, '')) }));
		return { name: `${name} (${language})`, language, half, prompts };
	});
}

function asterisk(name: string, language: string, half: Half, folder: string): Place {
	const textsPath = join(DOCS, `asterisk-core-sounds-${language}/core-sounds-${language}.txt.gz`);
	return {
		name,
		language,
		half,
		folder: join(ASTERISK, folder),
		pattern: '{,digits/,letters/,phonetic/}*.g722',
		textsPath,
	};
}

function ktuberling(language: string, half: Half): Place {
	return {
		name: 'KTuberling',
		language,
		half,
		folder: join(KTUBERLING, language),
		pattern: '*.{mp3,ogg,opus,wav}',
	};
}

/** Lines such as `vm-youhave: You have`. */
function textsOf(path: string): Map<string, string> {
	if (!existsSync(path)) return new Map();
	const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
	return new Map(
		lines.flatMap((line) => {
			const [, name, text] = /^([\w/-]+):\s*(.+)$/.exec(line) ?? [];
			return name && text ? [[name, text] as const] : [];
		}),
	);
}
