/** Three letters of ISO 639-2/T for two of ISO 639-1: the languages that most podcasts are in. */
const CODES = new Map(
	[
		'af afr,am amh,ar ara,az aze,be bel,bg bul,bn ben,bs bos,ca cat,cs ces,cy cym,da dan,de deu,el ell',
		'en eng,eo epo,es spa,et est,eu eus,fa fas,fi fin,fr fra,ga gle,gl glg,gu guj,ha hau,he heb,hi hin',
		'hr hrv,hu hun,hy hye,id ind,ig ibo,is isl,it ita,ja jpn,ka kat,kk kaz,km khm,kn kan,ko kor,lb ltz',
		'lo lao,lt lit,lv lav,mi mri,mk mkd,ml mal,mn mon,mr mar,ms msa,mt mlt,my mya,nb nob,ne nep,nl nld',
		'nn nno,no nor,pa pan,pl pol,ps pus,pt por,ro ron,ru rus,si sin,sk slk,sl slv,so som,sq sqi,sr srp',
		'sv swe,sw swa,ta tam,te tel,th tha,tl tgl,tr tur,uk ukr,ur urd,uz uzb,vi vie,yo yor,zh zho,zu zul',
	]
		.join(',')
		.split(',')
		.map((pair) => pair.split(' ') as [string, string]),
);

/**
 * A language as ID3 writes it: three letters of ISO 639-2.
 *
 * @param language such as `pt`, `pt-BR` or `por`
 * @returns undefined if it is not such a code
 */
export function languageCode(language: string): string | undefined {
	const [code] = language.trim().toLowerCase().split(/[-_]/);
	return CODES.get(code) ?? /^[a-z]{3}$/.exec(code)?.[0];
}
