import { type Id3Frame, type ReadTag, frame, framesIn } from './frames';

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
const MAX_INSIDE = 20;

/** Flags of a frame of version 2.3. */
const FLAG_GROUPED = 0x20;
const FLAGS_PACKED = 0xc0;

/** The start and end of a chapter, in milliseconds and in bytes. */
const CHAPTER_TIMES_BYTES = 16;

const LAYOUT_2 = {
	nameBytes: 3,
	headerBytes: 6,
	sizeOf: (bytes: Buffer, start: number) => bytes.readUIntBE(start + 3, 3),
};

const LAYOUT_3 = {
	nameBytes: 4,
	headerBytes: 10,
	sizeOf: (bytes: Buffer, start: number) => bytes.readUInt32BE(start + 4),
};

/**
 * Converts the frames of version 2.2 or 2.3 to 2.4.
 *
 * @throws if there are too many
 */
export function convertOlderFrames(body: Buffer, version: number): ReadTag {
	return convert(version === 2 ? framesOf2(body) : framesIn(body, LAYOUT_3), converted);
}

function convert(older: readonly Id3Frame[], one: (frame: Id3Frame) => Id3Frame): ReadTag {
	const isLost = ({ id, flags }: Id3Frame) =>
		GONE.has(id) || id === '' || (flags & FLAGS_PACKED) !== 0;
	const usable = older.filter((each) => !isLost(each));
	const date = dateOf(usable);
	const kept = usable.filter(({ id }) => !DATE_PARTS.includes(id)).map(one);
	return { frames: [...kept, ...date], lost: older.length - usable.length };
}

/** The frames of version 2.2 by their names in 2.4; without a name if they have none there. */
function framesOf2(bytes: Buffer): Id3Frame[] {
	return framesIn(bytes, LAYOUT_2).map(({ id: name, flags, body }) => {
		const id = NAMES_2[name] ?? '';
		return { id, flags, body: id === 'APIC' ? pictureBody(body) : body };
	});
}

/** In version 2.2, a picture has three letters instead of a media type. */
function pictureBody(body: Buffer): Buffer {
	const format = body.toString('latin1', 1, 4).toLowerCase();
	const mimeType = format === '-->' ? format : `image/${format === 'jpg' ? 'jpeg' : format}`;
	return Buffer.concat([body.subarray(0, 1), Buffer.from(`${mimeType}\0`), body.subarray(4)]);
}

function converted(older: Id3Frame): Id3Frame {
	const { id, flags, body } = convertedPlain(older);
	return { id, flags, body: withEmbedded(id, body) };
}

/** Without what is inside the frame: chapters have no chapters inside. */
function convertedPlain({ id, flags, body }: Id3Frame): Id3Frame {
	// The byte names a group of frames.
	const content = (flags & FLAG_GROUPED) === 0 ? body : body.subarray(1);
	return { id: RENAMED[id] ?? id, flags: 0, body: content };
}

/** Chapters and tables of contents have frames inside, whose headers differ, too. */
function withEmbedded(id: string, body: Buffer): Buffer {
	if (id !== 'CHAP' && id !== 'CTOC') return body;
	const afterName = body.indexOf(0) + 1;
	const start = id === 'CHAP' ? afterName + CHAPTER_TIMES_BYTES : entriesEnd(body, afterName);
	const inner = framesIn(body.subarray(start), LAYOUT_3, MAX_INSIDE);
	const { frames } = convert(inner, convertedPlain);
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
function dateOf(frames: readonly Id3Frame[]): Id3Frame[] {
	const [year = '', day = '', time = ''] = DATE_PARTS.map((part) => {
		const found = frames.find(({ id }) => id === part);
		// A text in any encoding: of a date, only the digits count.
		return found?.body.subarray(1).toString('latin1').replace(/\D/g, '');
	});
	if (!/^\d{4}$/.test(year)) return [];
	const [, ofMonth, month] = /^(\d\d)(\d\d)$/.exec(day) ?? [];
	const [, hours, minutes] = /^(\d\d)(\d\d)$/.exec(time) ?? [];
	const date = month === undefined ? year : `${year}-${month}-${ofMonth}`;
	const whole = month === undefined || hours === undefined ? date : `${date}T${hours}:${minutes}`;
	return [{ id: 'TDRC', flags: 0, body: Buffer.from(`\0${whole}`, 'latin1') }];
}
