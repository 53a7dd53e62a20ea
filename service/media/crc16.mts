/** The polynomial x¹⁶ + x¹⁵ + x² + 1, lowest bit first. */
const POLYNOMIAL = 0xa001;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
	let value = byte;
	for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >> 1) ^ POLYNOMIAL : value >> 1;
	return value;
});

/** The checksum CRC-16/ARC, which the Info frame of an MP3 carries. */
export function crc16(bytes: Uint8Array, start = 0): number {
	let crc = start;
	for (const byte of bytes) crc = TABLE[(crc ^ byte) & 0xff] ^ (crc >> 8);
	return crc;
}
