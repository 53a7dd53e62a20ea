import { FRAMES_MAXIMUM, type Id3Frame, type ReadTag, assertFew, frame } from './frames';

/** The names of frames of version 2.2 in 2.4. Those of texts and links not named here have no use today. */
const NAMES_2: Readonly<Partial<Record<string, string>>> = Object.fromEntries(
	[
		'TT1 TIT1,TT2 TIT2,TT3 TIT3,TP1 TPE1,TP2 TPE2,TP3 TPE3,TP4 TPE4,TCM TCOM,TXT TEXT,TLA TLAN',
		'TCO TCON,TAL TALB,TPA TPOS,TRK TRCK,TRC TSRC,TYE TYER,TDA TDAT,TIM TIME,TMT TMED,TFT TFLT',
		'TBP TBPM,TCP TCMP,TCR TCOP,TPB TPUB,TEN TENC,TSS TSSE,TLE TLEN,TDY TDLY,TKE TKEY,TOT TOAL',
		'TOF TOFN,TOL TOLY,TOA TOPE,TOR TORY,TXX TXXX,WAF WOAF,WAR WOAR,WAS WOAS,WCM WCOM,WCP WCOP',
		'WPB WPUB,WXX WXXX,COM COMM,ULT USLT,PIC APIC,UFI UFID,CNT PCNT,POP POPM,IPL IPLS,PCS PCST',
		'TCT TCAT,TDS TDES,TID TGID,WFD WFED,TKW TKWD',
	]
		.join(',')
		.split(',')
		.map((pair) => pair.split(' ')),
);

/** Frames of version 2.3 that have another name in 2.4. */
const RENAMED: Readonly<Partial<Record<string, string>>> = { IPLS: 'TIPL', TORY: 'TDOR' };

/** Frames of version 2.3 whose form no longer exists. */
const GONE: ReadonlySet<string> = new Set(['EQUA', 'RVAD', 'TRDA', 'TSIZ']);

/** Parts of the date, which are one frame in version 2.4. */
const DATE_PARTS = ['TYER', 'TDAT', 'TIME'];

/** Frames inside a chapter or a table of contents. */
const INSIDE_MAXIMUM = 20;

const FLAG_GROUPED = 0x20;
const FLAGS_PACKED = 0xc0;

/** The start and end of a chapter, in milliseconds and in bytes. */
const CHAPTER_TIMES_BYTES = 16;

interface OlderFrame {
	readonly id: string;
	/** The second byte of flags; always 0 in version 2.2. */
	readonly format: number;
	readonly body: Buffer;
}

/**
 * Converts the frames of version 2.2 or 2.3 to 2.4.
 *
 * @throws if there are too many
 */
export function convertOlderFrames(body: Buffer, version: number): ReadTag {
	return convert(version === 2 ? framesOf2(body) : framesOf3(body, FRAMES_MAXIMUM), converted);
}

function convert(older: readonly OlderFrame[], one: (frame: OlderFrame) => Id3Frame): ReadTag {
	const isLost = ({ id, format }: OlderFrame) =>
		GONE.has(id) || id === '' || (format & FLAGS_PACKED) !== 0;
	const usable = older.filter((each) => !isLost(each));
	const date = dateOf(usable);
	const kept = usable.filter(({ id }) => !DATE_PARTS.includes(id)).map(one);
	return { frames: [...kept, ...date], lost: older.length - usable.length };
}

function framesOf2(body: Buffer): OlderFrame[] {
	const frames: OlderFrame[] = [];
	for (let start = 0; start + 6 <= body.length; ) {
		const name = body.toString('latin1', start, start + 3);
		if (!/^[A-Z][A-Z0-9]{2}$/.test(name)) break;
		const end = start + 6 + body.readUIntBE(start + 3, 3);
		if (end > body.length) break;
		const content = body.subarray(start + 6, end);
		const id = NAMES_2[name] ?? '';
		frames.push({ id, format: 0, body: id === 'APIC' ? pictureBody(content) : content });
		assertFew(frames);
		start = end;
	}
	return frames;
}

/** In version 2.2, a picture has three letters instead of a media type. */
function pictureBody(body: Buffer): Buffer {
	const format = body.toString('latin1', 1, 4).toLowerCase();
	const mimeType = format === '-->' ? format : `image/${format === 'jpg' ? 'jpeg' : format}`;
	return Buffer.concat([body.subarray(0, 1), Buffer.from(`${mimeType}\0`), body.subarray(4)]);
}

function framesOf3(body: Buffer, maximum: number): OlderFrame[] {
	const frames: OlderFrame[] = [];
	for (let start = 0; start + 10 <= body.length; ) {
		const id = body.toString('latin1', start, start + 4);
		if (!/^[A-Z][A-Z0-9]{3}$/.test(id)) break;
		const end = start + 10 + body.readUInt32BE(start + 4);
		if (end > body.length) break;
		frames.push({ id, format: body[start + 9], body: body.subarray(start + 10, end) });
		assertFew(frames, maximum);
		start = end;
	}
	return frames;
}

function converted(older: OlderFrame): Id3Frame {
	const { id, flags, body } = convertedPlain(older);
	return { id, flags, body: withEmbedded(id, body) };
}

/** Without what is inside the frame: chapters have no chapters inside. */
function convertedPlain({ id, format, body }: OlderFrame): Id3Frame {
	// The byte names a group of frames.
	const content = (format & FLAG_GROUPED) === 0 ? body : body.subarray(1);
	return { id: RENAMED[id] ?? id, flags: 0, body: content };
}

/** Chapters and tables of contents have frames inside, whose headers differ, too. */
function withEmbedded(id: string, body: Buffer): Buffer {
	if (id !== 'CHAP' && id !== 'CTOC') return body;
	const afterName = body.indexOf(0) + 1;
	const start = id === 'CHAP' ? afterName + CHAPTER_TIMES_BYTES : entriesEnd(body, afterName);
	const { frames } = convert(framesOf3(body.subarray(start), INSIDE_MAXIMUM), convertedPlain);
	const inside = frames.map((one) => frame(one.id, one.body));
	return Buffer.concat([body.subarray(0, start), ...inside]);
}

/** Where the entries of a table of contents end: after its flags and their count, each ends with NUL. */
function entriesEnd(body: Buffer, start: number): number {
	let end = start + 2;
	for (let left = body[start + 1]; left > 0; left--) end = body.indexOf(0, end) + 1;
	return end;
}

/** The date of recording: its year, and day (`DDMM`) and time (`HHMM`) if they are there. */
function dateOf(frames: readonly OlderFrame[]): Id3Frame[] {
	const [year = '', day = '', time = ''] = DATE_PARTS.map((part) => {
		const found = frames.find(({ id }) => id === part);
		return found && digitsOf(found.body);
	});
	if (!/^\d{4}$/.test(year)) return [];
	const [, ofMonth, month] = /^(\d\d)(\d\d)$/.exec(day) ?? [];
	const [, hours, minutes] = /^(\d\d)(\d\d)$/.exec(time) ?? [];
	const date = month === undefined ? year : `${year}-${month}-${ofMonth}`;
	const whole = month === undefined || hours === undefined ? date : `${date}T${hours}:${minutes}`;
	return [{ id: 'TDRC', flags: 0, body: Buffer.from(`\0${whole}`, 'latin1') }];
}

/** The digits of a text frame in any encoding: of a date, nothing else counts. */
function digitsOf(body: Buffer): string {
	return body.subarray(1).toString('latin1').replace(/\D/g, '');
}
