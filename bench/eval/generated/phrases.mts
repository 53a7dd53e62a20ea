/** What the generated voices say, and how a filler and a hesitation sound (espeak-ng phonemes). */
export interface Language {
	/** espeak-ng's name of it. */
	code: string;
	fillers: readonly string[];
	hesitations: readonly string[];
	phrases: readonly string[];
}

const ENGLISH: readonly string[] = [
	'welcome back to the show',
	'today we talk about the weather in the mountains',
	'I think that is a very good question',
	'but nobody really knows the answer',
	'so let us begin with the simple part',
	'she told me the whole story last night',
	'and then we went home',
	'the train was late again',
	'yes',
	'no',
	'of course',
	'oh I see',
	'he bought seven apples and a pear',
	'it depends on the temperature of the water',
	'most people never notice the difference',
	'we recorded this in a small kitchen',
	'thank you for listening',
	'the second chapter is about money',
	'that is all I know',
	'please send us your questions',
	'my brother works for the city council',
	'sixty six thousand five hundred',
	'it starts at a quarter past six',
	'why not',
	'the artist asked for a larger studio',
	'which is fine',
	'after a while it stopped raining',
	'are you sure',
	'I am not so sure',
	'the answer was in the attic',
	'a long time ago',
	'both of them left early',
	'perhaps we should ask an expert',
	'as far as I can tell',
	'under the old oak tree',
	'every Thursday afternoon',
	'the first time I saw her she was reading',
	'stop it',
	'that cost us a lot of time',
	'and what happened next',
	'up to a point',
];
const GERMAN: readonly string[] = [
	'herzlich willkommen zur neuen Folge',
	'heute sprechen wir über das Wetter',
	'ja',
	'nein',
	'ich weiß es nicht genau',
	'das war eine sehr lange Reise',
	'und dann sind wir nach Hause gegangen',
	'der Zug hatte wieder Verspätung',
	'aber das ist eine andere Geschichte',
	'vielen Dank fürs Zuhören',
	'es kommt auf die Temperatur an',
	'achtundsechzig Personen waren da',
	'genau',
	'am Anfang war alles ganz einfach',
	'wir haben das in der Küche aufgenommen',
	'also gut',
];
const ROMANIAN: readonly string[] = [
	'bine ați venit la emisiunea noastră',
	'astăzi vorbim despre vreme',
	'da',
	'nu',
	'nu știu exact ce s-a întâmplat',
	'trenul a întârziat din nou',
	'și apoi am mers acasă',
	'mulțumim că ne ascultați',
	'aceasta este o întrebare foarte bună',
	'a fost o călătorie lungă',
];
const FRENCH: readonly string[] = [
	'bienvenue dans notre émission',
	"aujourd'hui nous parlons de la météo",
	'oui',
	'non',
	'je ne sais pas exactement',
	'le train était encore en retard',
	'et puis nous sommes rentrés',
	'merci de nous avoir écoutés',
	'cela dépend de la température',
	"c'est une très bonne question",
];

const SHARED_HESITATIONS = ['V', '@', '@m'];

export const LANGUAGES: readonly Language[] = [
	{
		code: 'en-us',
		fillers: ['V:', 'Vm:', 'V::m', '3:', '@:m'],
		hesitations: SHARED_HESITATIONS,
		phrases: ENGLISH,
	},
	{
		code: 'en-gb',
		fillers: ['3:', '3:m', 'V:m', '@::'],
		hesitations: SHARED_HESITATIONS,
		phrases: ENGLISH,
	},
	{ code: 'de', fillers: ['E:', 'E:m', '@:m'], hesitations: ['E', '@', '@m'], phrases: GERMAN },
	{ code: 'ro', fillers: ['@:', '@:m'], hesitations: ['@'], phrases: ROMANIAN },
	{ code: 'fr', fillers: ['Y:', 'W:m'], hesitations: ['Y', 'W'], phrases: FRENCH },
];
