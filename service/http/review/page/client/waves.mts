import WaveSurfer from 'wavesurfer.js';
import RegionsPlugin, { type Region } from 'wavesurfer.js/plugins/regions';

import type { CutPage, PageCut } from './cutEditor.mts';
import { byId, element } from './dom.mts';
import { nameOf } from './times.mts';
import { peaksOf, type Review } from './wire.mts';

/** Pixels of one track; the style of their names has the same. */
const HEIGHT = 88;

/** What the ids of regions begin with that are cuts. */
const OURS = 'cut-';

/** The closest zoom in pixels of a second, and the factor of one step. */
const CLOSEST = 400;
const ZOOM_FACTOR = 2;

/** A region, and what it shows; undefined after a visitor moved its border. */
interface Shown {
	readonly region: Region;
	cut?: PageCut;
	isChosen: boolean;
}

/** The waveforms of all tracks, one below the other, with a region for each cut. */
export class Waves {
	private readonly rate: number;
	private readonly regions = RegionsPlugin.create();
	private readonly surfer: WaveSurfer;
	private readonly shown = new Map<number, Shown>();
	private zoom = 0;

	constructor(
		{ tracks, samples, sample_rate: rate }: Review,
		private readonly page: CutPage,
	) {
		this.rate = rate;
		const container = byId('waves', HTMLElement);
		const duration = samples / rate;
		this.surfer = WaveSurfer.create({
			container,
			height: HEIGHT,
			cursorWidth: 2,
			normalize: true,
			barHeight: 0.92,
			peaks: tracks.map((track) => peaksOf(track, duration)),
			duration,
			autoScroll: false,
			splitChannels: tracks.map(() => ({})),
			plugins: [this.regions],
			cspNonce: container.nonce ?? '',
			...colors(),
		});
		const names = element('div', 'names');
		names.append(...tracks.map(({ name }) => element('div', '', name)));
		container.append(names);
		const ariaLabel = tracks.map(({ name }) => name).join(', ');
		const scroller = this.surfer.getWrapper().parentElement;
		if (scroller) Object.assign(scroller, { tabIndex: 0, role: 'group', ariaLabel });
	}

	/** Draws the regions as the cuts are now. */
	draw(cuts: readonly PageCut[], chosen: PageCut | undefined): void {
		const ids = new Set(cuts.map(({ id }) => id));
		for (const [id, { region }] of [...this.shown].filter(([id]) => !ids.has(id))) {
			this.shown.delete(id);
			region.remove();
		}
		for (const cut of cuts) this.drawCut(cut, cut === chosen);
	}

	/** Moves the cursor. */
	point(place: number): void {
		this.surfer.setTime(place / this.rate);
	}

	/** Scrolls to a cut unless it is in sight. */
	reveal({ start, end }: PageCut): void {
		const { surfer } = this;
		const pixels = surfer.getWrapper().clientWidth / surfer.getDuration() / this.rate;
		const [left, width] = [surfer.getScroll(), surfer.getWidth()];
		if (start * pixels < left || end * pixels > left + width)
			surfer.setScroll(((start + end) * pixels - width) / 2);
	}

	/** Zooms in or out, down to the whole recording, and stays at the chosen cut. */
	zoomBy(steps: number, chosen: PageCut | undefined): void {
		const whole = this.surfer.getWidth() / this.surfer.getDuration();
		const wanted = Math.max(this.zoom, whole) * ZOOM_FACTOR ** steps;
		this.zoom = wanted <= whole ? 0 : Math.min(CLOSEST, wanted);
		this.surfer.zoom(this.zoom);
		if (chosen) this.reveal(chosen);
	}

	/** Listens to the visitor. Regions have no place before it is done. */
	async start(): Promise<void> {
		const { surfer, regions, page, rate } = this;
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
			surfer.setOptions(colors());
		});
		surfer.on('interaction', (seconds) => {
			page.point(seconds * rate);
		});
		regions.on('region-created', (region) => {
			if (idOf(region) !== undefined) return;
			region.remove();
			page.add(region.start * rate, region.end * rate);
		});
		regions.on('region-clicked', (region, event) => {
			event.stopPropagation();
			const id = idOf(region);
			if (id !== undefined) page.choose(id);
		});
		regions.on('region-updated', (region) => {
			const id = idOf(region);
			if (id === undefined) return;
			delete this.shown.get(id)?.cut;
			page.move(id, region.start * rate, region.end * rate);
		});
		await new Promise((resolve) => surfer.once('ready', resolve));
		regions.enableDragSelection({ color: 'var(--added)' });
	}

	private drawCut(cut: PageCut, isChosen: boolean): void {
		const old = this.shown.get(cut.id);
		if (old?.cut === cut && old.isChosen === isChosen) return;
		const color = `color-mix(in srgb, var(--${cut.kind}) ${cut.keep ? 12 : 50}%, transparent)`;
		const look = { start: cut.start / this.rate, end: cut.end / this.rate, color };
		const id = `${OURS}${cut.id}`;
		const region = old?.region ?? this.regions.addRegion({ id, drag: false, ...look });
		this.shown.set(cut.id, { region, cut, isChosen });
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

/** A canvas needs colors, not variables. */
function colors(): { waveColor: string; progressColor: string; cursorColor: string } {
	const style = getComputedStyle(document.documentElement);
	const [wave, cursor] = ['--wave', '--bad'].map((name) => style.getPropertyValue(name).trim());
	return { waveColor: wave, progressColor: wave, cursorColor: cursor };
}
