import WaveSurfer from 'wavesurfer.js';
import RegionsPlugin, { type Region } from 'wavesurfer.js/plugins/regions';

import type { Decision } from './decisions.mts';
import { byId, element } from './dom.mts';
import { nameOf } from './times.mts';
import type { Review, Track } from './wire.mts';

const HEIGHT = 88;

/** What the ids of regions begin with that are cuts. */
const OURS = 'cut-';

/** The closest zoom in pixels of a second, and the factor of one step. */
const CLOSEST = 400;
const ZOOM_FACTOR = 2;

/** How a visitor changes cuts on a waveform; places in samples. */
interface WavePage {
	choose: (id: number) => void;
	point: (place: number) => void;
	move: (id: number, start: number, end: number) => void;
	add: (start: number, end: number) => void;
}

/** A track's waveform with its regions, by the ids of their cuts. */
interface Wave {
	readonly surfer: WaveSurfer;
	readonly regions: ReturnType<typeof RegionsPlugin.create>;
	readonly shown: Map<number, Shown>;
}

/** A region, and what it shows; undefined after a visitor moved its border. */
interface Shown {
	readonly region: Region;
	cut?: Decision;
	isChosen: boolean;
}

/** The waveforms of all tracks, which scroll and zoom together. */
export class Waves {
	private readonly waves: Wave[] = [];
	private readonly rate: number;
	private zoom = 0;
	private drawn: readonly [cuts: readonly Decision[], chosen: Decision | undefined] = [
		[],
		undefined,
	];

	constructor(
		review: Review,
		private readonly page: WavePage,
	) {
		this.rate = review.sample_rate;
		for (const track of review.tracks) this.waves.push(this.createWave(track));
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
			for (const { surfer } of this.waves) surfer.setOptions(colors());
		});
	}

	/** Draws the regions as the cuts are now. */
	draw(cuts: readonly Decision[], chosen: Decision | undefined): void {
		this.drawn = [cuts, chosen];
		const ids = new Set(cuts.map(({ id }) => id));
		for (const wave of this.waves.filter(({ surfer }) => surfer.getDuration() > 0)) {
			for (const [id, { region }] of [...wave.shown].filter(([id]) => !ids.has(id))) {
				wave.shown.delete(id);
				region.remove();
			}
			for (const cut of cuts) this.drawCut(wave, cut, cut === chosen);
		}
	}

	/** Moves the cursor. */
	point(place: number): void {
		for (const { surfer } of this.waves) surfer.setTime(place / this.rate);
	}

	/** Scrolls to a cut unless it is in sight. */
	reveal({ start, end }: Decision): void {
		for (const { surfer } of this.waves) {
			const pixels = surfer.getWrapper().clientWidth / surfer.getDuration() / this.rate;
			const [left, width] = [surfer.getScroll(), surfer.getWidth()];
			if (start * pixels < left || end * pixels > left + width)
				surfer.setScroll(((start + end) * pixels - width) / 2);
		}
	}

	/** Zooms in or out, down to the whole recording, and stays at the chosen cut. */
	zoomBy(steps: number, chosen: Decision | undefined): void {
		for (const { surfer } of this.waves.slice(0, 1)) {
			const whole = surfer.getWidth() / surfer.getDuration();
			const wanted = Math.max(this.zoom, whole) * ZOOM_FACTOR ** steps;
			this.zoom = wanted <= whole ? 0 : Math.min(CLOSEST, wanted);
		}
		for (const { surfer } of this.waves) surfer.zoom(this.zoom);
		if (chosen) this.reveal(chosen);
	}

	private createWave(track: Track): Wave {
		const figure = element('figure', '');
		figure.append(element('figcaption', '', track.name));
		const container = byId('waves', HTMLElement);
		container.append(figure);
		const regions = RegionsPlugin.create();
		const surfer = WaveSurfer.create({
			...{ container: figure, height: HEIGHT, cursorWidth: 2, normalize: true, ...colors() },
			...{ peaks: [peaksOf(track)], duration: track.seconds, autoScroll: false },
			...{ plugins: [regions], cspNonce: container.nonce ?? '' },
		});
		const scroller = surfer.getWrapper().parentElement;
		if (scroller) Object.assign(scroller, { tabIndex: 0, role: 'group', ariaLabel: track.name });
		const wave: Wave = { surfer, regions, shown: new Map() };
		this.listen(wave);
		return wave;
	}

	private listen({ surfer, regions, shown }: Wave): void {
		surfer.on('interaction', (seconds) => {
			this.page.point(seconds * this.rate);
		});
		surfer.on('scroll', (_from, _to, left) => {
			for (const { surfer: other } of this.waves)
				if (Math.abs(other.getScroll() - left) > 1) other.setScroll(left);
		});
		surfer.on('ready', () => {
			regions.enableDragSelection({ color: 'var(--added)' });
			// Before it is ready, a waveform has no place for regions.
			this.draw(...this.drawn);
		});
		regions.on('region-created', (region) => {
			if (idOf(region) !== undefined) return;
			region.remove();
			this.page.add(region.start * this.rate, region.end * this.rate);
		});
		regions.on('region-clicked', (region, event) => {
			event.stopPropagation();
			const id = idOf(region);
			if (id !== undefined) this.page.choose(id);
		});
		regions.on('region-updated', (region) => {
			const id = idOf(region);
			const own = id === undefined ? undefined : shown.get(id);
			if (own) delete own.cut;
			if (id !== undefined) this.page.move(id, region.start * this.rate, region.end * this.rate);
		});
	}

	private drawCut({ regions, shown }: Wave, cut: Decision, isChosen: boolean): void {
		const old = shown.get(cut.id);
		if (old?.cut === cut && old.isChosen === isChosen) return;
		const color = `color-mix(in srgb, var(--${cut.kind}) ${cut.keep ? 12 : 50}%, transparent)`;
		const look = { start: cut.start / this.rate, end: cut.end / this.rate, color };
		const region =
			old?.region ?? regions.addRegion({ id: `${OURS}${cut.id}`, drag: false, ...look });
		shown.set(cut.id, { region, cut, isChosen });
		region.setOptions(look);
		if (!region.element) return;
		region.element.title = nameOf(cut, this.rate);
		Object.assign(region.element.style, {
			borderTop: `3px ${cut.keep ? 'dotted' : 'solid'} var(--${cut.kind})`,
			boxShadow: isChosen ? 'inset 0 0 0 2px var(--ink)' : 'none',
			zIndex: isChosen ? '4' : '3',
		});
	}
}

/** Returns the id of a region's cut; undefined for one that a visitor is drawing. */
function idOf({ id }: Region): number | undefined {
	return id.startsWith(OURS) ? Number(id.slice(OURS.length)) : undefined;
}

/** A canvas needs colours, not variables. */
function colors(): { waveColor: string; progressColor: string; cursorColor: string } {
	const style = getComputedStyle(document.documentElement);
	const [wave, cursor] = ['--wave', '--bad'].map((name) => style.getPropertyValue(name).trim());
	return { waveColor: wave, progressColor: wave, cursorColor: cursor };
}

/** Returns the peaks between -1 and 1; the lowest and the highest take turns. */
function peaksOf({ peaks }: Track): Float32Array {
	const bytes = Uint8Array.from(atob(peaks), (character) => character.charCodeAt(0));
	return Float32Array.from(new Int8Array(bytes.buffer), (peak) => peak / 127);
}
