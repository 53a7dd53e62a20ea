/** The style of the list of edits, after the one of all pages. */
export const LIST_STYLE = `
:focus-visible { outline: 2px solid var(--done); outline-offset: 2px; }
header { align-items: end; }
form { display: flex; gap: .4rem; }
input, button { font: inherit; color: inherit; height: 2.3rem; padding: 0 .8rem; border: 1px solid var(--line);
	border-radius: .6rem; background: var(--card); }
input { width: 17rem; min-width: 0; border-color: var(--wave); } input::placeholder { color: var(--dim); opacity: 1; }
button { cursor: pointer; background: var(--soft); font-weight: 600; } button:hover { border-color: var(--dim); }
body:has(#none) form { display: none; }
#facts { margin-top: .3rem; overflow-wrap: anywhere; }
#facts a, footer a { text-decoration: none; } #facts a:hover, footer a:hover { text-decoration: underline; }
#facts a[aria-current] { color: var(--ink); font-weight: 600; }
main { padding-bottom: 0; }
article { position: relative; padding: 0 1rem; background: var(--card); border: 1px solid var(--line); border-top-width: 0; }
article:first-child { border-top-width: 1px; border-radius: .9rem .9rem 0 0; }
article:last-child { border-bottom-left-radius: .9rem; border-bottom-right-radius: .9rem; }
article:target { scroll-margin-top: 1rem; }
.row { position: relative; display: grid; grid-template-columns: minmax(0, 1fr) minmax(9rem, auto) 7rem 9.6rem;
	align-items: baseline; gap: 0 1rem; margin: 0 -1rem; padding: .5rem 1rem; border-radius: inherit; }
.row:hover { background: var(--soft); }
h2 { font-size: .95rem; font-weight: 550; }
.toggle { display: block; padding-left: 1.1rem; overflow: hidden; color: inherit; text-decoration: none; text-overflow: ellipsis;
	white-space: nowrap; }
.toggle::before { content: '▸' / ''; position: absolute; left: 1rem; color: var(--dim); font-size: .8em; line-height: 1.9; }
.toggle::after { content: ''; position: absolute; inset: 0; border-radius: inherit; }
.toggle:focus-visible { outline: none; } .toggle:focus-visible::after { outline: 2px solid var(--done); outline-offset: -2px; }
.toggle[aria-expanded=true] { white-space: normal; } .toggle[aria-expanded=true]::before { content: '▾' / ''; }
.lengths { justify-self: end; } .review { position: relative; justify-self: end; font-weight: 600; }
.lengths, time { color: var(--dim); font-size: .85rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
time { text-align: right; }
.status { font-size: .85rem; white-space: nowrap; }
.status::before { content: ''; display: inline-block; width: .5rem; height: .5rem; margin-right: .45rem; border-radius: 50%;
	background: var(--wait); }
.running::before { background: var(--run); } .succeeded::before { background: var(--good); }
.failed::before { background: var(--bad); } .failed { color: var(--bad); }
.review, .chips a { color: var(--done); font-size: .85rem; } .chips a { font-weight: 600; }
.reason { grid-column: 1 / -1; margin: 0; padding-left: 1.1rem; overflow: hidden; color: var(--bad); font-size: .85rem;
	text-overflow: ellipsis; white-space: nowrap; }
.row:has([aria-expanded=true]) .reason { overflow-wrap: anywhere; white-space: normal; }
.card { padding: .1rem 0 1.1rem 1.1rem; }
.id { color: var(--dim); font: .75rem ui-monospace, monospace; overflow-wrap: anywhere; }
.take { display: grid; grid-template-columns: 4.5rem 1fr; gap: .3rem .9rem; align-items: center;
	margin-top: .9rem; }
.take .name { grid-column: 1 / -1; color: var(--dim); font-size: .85rem; overflow-wrap: anywhere; }
.take .what { font-size: .8rem; font-weight: 600; }
.take .what span { display: block; color: var(--dim); font-weight: 400;
	font-variant-numeric: tabular-nums; }
.wave { display: block; width: 100%; height: 3.6rem; border-radius: .5rem; background: var(--soft); }
.wave path { fill: var(--wave); }
.after path { fill: var(--done); }
.edit { fill: var(--cut); fill-opacity: .45; }
audio { grid-column: 2; width: 100%; height: 2.2rem; margin-bottom: .5rem; }
.note { color: var(--dim); font-size: .85rem; margin: .6rem 0 0; overflow-wrap: anywhere; }
.empty { margin: 0; padding: 3rem 1rem; border: 1px dashed var(--line); border-radius: .9rem; color: var(--dim);
	text-align: center; overflow-wrap: anywhere; }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1.5rem; padding-top: .9rem; padding-bottom: 3rem;
	color: var(--dim); font-size: .85rem; font-variant-numeric: tabular-nums; }
footer p { margin: 0; }
@media (max-width: 40rem) { header, main, footer { padding-left: .75rem; padding-right: .75rem; } header { padding-top: 1.25rem; }
	form { width: 100%; margin-top: .4rem; } input { flex: 1; } .row { display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .6rem 1rem; }
	h2, .reason { flex-basis: 100%; min-width: 0; } .status { order: 1; padding-left: 1.1rem; } .lengths, .review { order: 2; }
	time { order: 3; margin-left: auto; } .reason { order: 4; } .zone { display: none; } .card { padding-left: 0; }
	.take { grid-template-columns: 1fr; } audio { grid-column: 1; } .take .what span { display: inline; margin-left: .5rem; } }
`;
