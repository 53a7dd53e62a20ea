const ESCAPES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Text as HTML, also inside attributes; everything a client chose goes through here. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** Seconds as m:ss.s, or h:mm:ss.s from an hour on. */
export function durationText(seconds: number): string {
	const tenths = Math.round(seconds * 10);
	const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
	const minutes = Math.floor(tenths / 600);
	if (minutes < 60) return `${minutes}:${rest}`;
	return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}
