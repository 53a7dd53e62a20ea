/**
 * Plays and pauses with the space bar, and switches between before and after at the same place with B. Each take
 * has the times that were cut from its source, and of what was put into it.
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
function timeWithKit(seconds, kit) {
	return kit.reduce((at, [place, added]) => (seconds >= place ? at + added : at), seconds);
}
function timeWithoutKit(seconds, kit) {
	return kit.reduce((at, [place, added]) => at - within(0, at - place, added), seconds);
}
function switchOver() {
	const take = current?.closest('.take');
	const [before, after] = take?.querySelectorAll('audio') ?? [];
	if (after === undefined) return;
	const [cuts, kit] = [take.dataset.cuts, take.dataset.kit].map((text) => JSON.parse(text));
	const next = current === before ? after : before;
	const { currentTime: now } = current;
	current.pause();
	next.currentTime =
		next === after
			? timeWithKit(editedTime(now, cuts), kit)
			: sourceTime(timeWithoutKit(now, kit), cuts);
	next.play();
}
document.addEventListener('play', ({ target }) => {
	if (current !== target) current?.pause();
	current = target;
}, true);
document.addEventListener('keydown', (event) => {
	if (!current?.isConnected) current = document.querySelector('audio');
	if (event.ctrlKey || event.metaKey || event.altKey || !current) return;
	if (event.target.closest('input, button')) return;
	if (event.key === 'b' || event.key === 'B') switchOver();
	if (event.key !== ' ' || event.target.closest('a, audio')) return;
	event.preventDefault();
	if (current.paused) current.play();
	else current.pause();
});
`;

/**
 * Refreshes the page without stopping a player: fetches its address every 3 s, and replaces the rows that changed,
 * except those that are playing. A row's link and the search change the address. Without scripts the page stays as
 * it was loaded, and both load it again.
 */
export const PAGE_SCRIPT = `${PLAYER_SCRIPT}
const isHeard = (audio) => !audio.paused || (audio.currentTime > 0 && !audio.ended);
const isBusy = (row) => [...row.querySelectorAll('audio')].some(isHeard);
function keptOf(row) {
	const old = row.id && document.getElementById(row.id);
	if (!old) return row;
	if (old.isEqualNode(row)) return old;
	if (!isBusy(old) || !row.querySelector('audio')) return row;
	old.querySelector('.toggle').href = row.querySelector('.toggle').href;
	return old;
}
// Moving a player within the page stops it, so only the rows around it change.
function showRows(main, rows) {
	for (const old of [...main.children]) if (!rows.includes(old)) old.remove();
	let next = main.firstElementChild;
	for (const row of rows) {
		if (row === next) next = next.nextElementSibling;
		else main.insertBefore(row, next);
	}
}
async function refresh() {
	const asked = location.href;
	const answer = await fetch(asked, { cache: 'no-store' });
	const text = await answer.text();
	if (!answer.ok || location.href !== asked) return;
	const fresh = new DOMParser().parseFromString(text, 'text/html');
	// A proxy may answer with a page of its own, where a visitor signs in again.
	if (!fresh.getElementById('facts')) return;
	const focused = document.activeElement?.id;
	for (const id of ['facts', 'pages', 'time']) {
		const [old, part] = [document.getElementById(id), fresh.getElementById(id)];
		if (!old.isEqualNode(part)) old.replaceWith(part);
	}
	showRows(document.querySelector('main'), [...fresh.querySelector('main').children].map(keptOf));
	if (focused && document.activeElement?.id !== focused)
		document.getElementById(focused)?.focus({ preventScroll: true });
}
const refreshSoon = () => refresh().catch(() => undefined);
function show(address) {
	history.replaceState(null, '', address);
	return refreshSoon();
}
document.addEventListener('click', (event) => {
	const link = event.target.closest('.toggle');
	if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
	event.preventDefault();
	show(link.href);
});
const search = document.querySelector('form');
let typing;
search.addEventListener('input', () => {
	clearTimeout(typing);
	typing = setTimeout(() => {
		const address = new URL('/', location.href);
		for (const [name, value] of new FormData(search)) if (value) address.searchParams.set(name, value);
		const open = new URLSearchParams(location.search).get('open');
		if (open) address.searchParams.set('open', open);
		show(address);
	}, 200);
});
setInterval(refreshSoon, 3000);
`;
