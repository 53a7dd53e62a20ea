/** The page's style sheet; inline, so that the page needs no further requests. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --back: #f6f7f9; --card: #fff; --ink: #17202e; --dim: #5a667e;
	--line: #e3e7ee; --soft: #f0f3f8; --wave: #9aa7bd; --done: #2563eb; --cut: #f59e0b;
	--good: #15803d; --bad: #b42318; --run: #1d6fd8; --wait: #6b7280; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --card: #161c26; --ink: #e6ebf4;
	--dim: #8b97ad; --line: #273041; --soft: #1d2533; --wave: #5b6880; --done: #60a5fa;
	--cut: #fbbf24; --bad: #f2786b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header, main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between;
	gap: .25rem 1.5rem; padding-top: 2rem; padding-bottom: 1.25rem; }
h1 { margin: 0; font-size: 1.4rem; font-weight: 650; letter-spacing: -.01em; }
header p { margin: 0; color: var(--dim); font-variant-numeric: tabular-nums; }
main { padding-bottom: 1rem; } footer { padding-bottom: 3rem; }
article { margin-bottom: 1rem; padding: 1.1rem 1.25rem; background: var(--card);
	border: 1px solid var(--line); border-radius: .9rem; box-shadow: 0 1px 2px #0000000d; }
summary { cursor: pointer; list-style: none; }
details:not([open]) summary::after { content: 'Show'; color: var(--done); font-size: .85rem; }
header a, footer a { color: var(--done); }
.chips a { color: var(--done); font-size: .85rem; font-weight: 600; }
.keys { font-size: .85rem; }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem .75rem; }
h2 { margin: 0; font-size: 1.02rem; font-weight: 600; overflow-wrap: anywhere; }
.head time { margin-left: auto; color: var(--dim); font-size: .85rem; white-space: nowrap;
	font-variant-numeric: tabular-nums; }
.id { color: var(--dim); font: .75rem ui-monospace, monospace; overflow-wrap: anywhere; }
.chips { display: flex; flex-wrap: wrap; gap: .35rem; margin-top: .55rem; }
.chip { padding: .05rem .55rem; border-radius: 1rem; background: var(--soft);
	border: 1px solid var(--line); color: var(--dim); font-size: .8rem; overflow-wrap: anywhere; }
.chip strong { color: var(--ink); font-weight: 600; }
.status { padding: .1rem .6rem; border-radius: 1rem; color: #fff; font-size: .75rem; font-weight: 650;
	letter-spacing: .02em; }
.pending { background: var(--wait); } .running { background: var(--run); }
.succeeded { background: var(--good); } .failed { background: #b42318; }
.reason { margin: .6rem 0 0; color: var(--bad); overflow-wrap: anywhere; }
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
.empty, .note { color: var(--dim); }
.note { font-size: .85rem; margin: .6rem 0 0; }
@media (max-width: 40rem) { .take { grid-template-columns: 1fr; } audio { grid-column: 1; }
	.take .what span { display: inline; margin-left: .5rem; } .head time { margin-left: 0; } }
`;
