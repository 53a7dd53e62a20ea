/**
 * Refreshes the page without stopping a player: fetches it every 3 s and replaces the cards that
 * changed, except those that are playing. Without scripts the page stays as it was loaded.
 */
export const PAGE_SCRIPT = `
const isHeard = (audio) => !audio.paused || (audio.currentTime > 0 && !audio.ended);
const isBusy = (card) => [...card.querySelectorAll('audio')].some(isHeard);
async function refresh() {
	const answer = await fetch(location.href, { cache: 'no-store' });
	if (!answer.ok) return;
	const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
	document.querySelector('header').replaceWith(fresh.querySelector('header'));
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
