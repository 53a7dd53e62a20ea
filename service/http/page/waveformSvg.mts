import { html as markup } from 'ghtml';

import type { Waveform } from '../../engine/export/waveform.mts';
import { clock } from '../review/page/client/times.mts';
import type { EditsMade } from './outlines.mts';

/** The size of the drawing in its own units, one per column. The page stretches it. */
const COLUMNS = 400;
const HEIGHT = 64;

/** Keeps silence visible as a line. */
const THINNEST = 0.6;

/** Returns the lowest and highest sample of each column. */
function columnsOf({ peaks }: Waveform, count: number): Array<[lowest: number, highest: number]> {
	const pairs = Math.floor(peaks.length / 2);
	const length = Math.min(count, pairs);
	return Array.from({ length }, (_, column) => {
		const from = Math.floor((column * pairs) / length);
		const to = Math.floor(((column + 1) * pairs) / length);
		const part = peaks.slice(2 * from, 2 * to);
		return [Math.min(...part), Math.max(...part)];
	});
}

/** Returns the outline as one closed path over the given width, clipped at full scale. */
function pathOf(outline: Waveform, width: number): string {
	const columns = columnsOf(outline, Math.max(1, Math.round(width)));
	const step = width / columns.length;
	const y = (sample: number) => HEIGHT / 2 - Math.max(-1, Math.min(1, sample)) * (HEIGHT / 2 - 1);
	const point = (column: number, at: number) => `${(column * step).toFixed(1)} ${at.toFixed(1)}`;
	const upper = columns.map(([, high], column) => point(column, y(high) - THINNEST));
	const lower = columns.map(([low], column) => point(column, y(low) + THINNEST)).toReversed();
	return `M${[...upper, ...lower].join('L')}Z`;
}

/** Returns a bar with a tooltip for each edit made; the outline is drawn over it. */
function barsOf({ edits }: EditsMade, seconds: number): string {
	return edits
		.map(({ kind, startSeconds, endSeconds }) => {
			const x = (startSeconds / seconds) * COLUMNS;
			const width = Math.max(0.8, ((endSeconds - startSeconds) / seconds) * COLUMNS);
			const where = `${clock(startSeconds)} to ${clock(endSeconds)}`;
			const title = `${kind.replaceAll('_', ' ')}, ${where}`;
			return markup`<rect class="edit ${kind}" x="${x.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="${HEIGHT}"><title>${title}</title></rect>`;
		})
		.join('');
}

/**
 * Returns a waveform as inline SVG that spans `scaleSeconds`, so that a shorter edited recording is
 * also drawn shorter.
 */
export function waveformSvg(
	outline: Waveform,
	scaleSeconds: number,
	label: string,
	made?: EditsMade,
): string {
	if (outline.peaks.length < 2 || scaleSeconds <= 0) return '';
	const width = COLUMNS * Math.min(1, outline.durationSeconds / scaleSeconds);
	const bars = made === undefined ? '' : barsOf(made, scaleSeconds);
	return markup`<svg class="wave" viewBox="0 0 ${COLUMNS} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">!${bars}<path d="${pathOf(outline, width)}"/></svg>`;
}
