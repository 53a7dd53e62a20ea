/**
 * Plays and pauses with the space bar, and switches between before and after at the same place with B. Each take
 * has the times that were cut from its source.
 */
const PLAYER_SCRIPT = `
let current;
const within = (low, value, high) => Math.min(Math.max(value, low), high);
function sourceTime(seconds, cuts) {
	return cuts.reduce((at, [start, end]) => (at >= start ? at + end - start : at), seconds);
}
function editedTime(seconds, cuts) {
	return cuts.reduce((at, [start, end]) => at - within(0, seconds - start, end - start), seconds);
}
function switchOver() {
	const take = current?.closest('.take');
	const [before, after] = take?.querySelectorAll('audio') ?? [];
	if (after === undefined) return;
	const cuts = JSON.parse(take.dataset.cuts);
	const next = current === before ? after : before;
	const change = next === after ? editedTime : sourceTime;
	current.pause();
	next.currentTime = change(current.currentTime, cuts);
	next.play();
}
document.addEventListener('play', ({ target }) => {
	if (current !== target) current?.pause();
	current = target;
}, true);
document.addEventListener('keydown', (event) => {
	if (!current?.isConnected) current = document.querySelector('details[open] audio');
	if (event.ctrlKey || event.metaKey || event.altKey || !current) return;
	if (event.key === 'b' || event.key === 'B') switchOver();
	if (event.key !== ' ' || event.target.closest('summary, a, audio')) return;
	event.preventDefault();
	if (current.paused) current.play();
	else current.pause();
});
`;

/**
 * Refreshes the page without stopping a player: fetches it every 3 s and replaces the cards that
 * changed, except those that are playing. Without scripts the page stays as it was loaded.
 */
export const PAGE_SCRIPT = `${PLAYER_SCRIPT}
const isHeard = (audio) => !audio.paused || (audio.currentTime > 0 && !audio.ended);
const isBusy = (card) => [...card.querySelectorAll('audio')].some(isHeard);
async function refresh() {
	const answer = await fetch(location.href, { cache: 'no-store' });
	if (!answer.ok) return;
	const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
	for (const part of ['header', 'footer'])
		document.querySelector(part).replaceWith(fresh.querySelector(part));
	const main = document.querySelector('main');
	const shown = new Map([...main.querySelectorAll('article')].map((card) => [card.id, card]));
	const keeps = (old, card) => old && (isBusy(old) || old.dataset.version === card.dataset.version);
	const cards = [...fresh.querySelectorAll('article')].map((card) =>
		keeps(shown.get(card.id), card) ? shown.get(card.id) : card,
	);
	if (![...shown.values()].some(isBusy)) {
		main.replaceChildren(...(cards.length > 0 ? cards : fresh.querySelector('main').children));
		return;
	}
	// Moving a player within the page stops it, so only the cards around it change.
	for (const card of cards.toReversed()) {
		const old = shown.get(card.id);
		if (old === undefined) main.prepend(card);
		else if (old !== card) old.replaceWith(card);
	}
}
setInterval(() => refresh().catch(() => undefined), 3000);
`;
