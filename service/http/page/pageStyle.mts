/** The style sheet of all pages; inline, so that a page needs no further requests. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --back: #f6f7f9; --card: #fff; --ink: #17202e; --dim: #5a667e;
	--line: #e3e7ee; --soft: #f0f3f8; --wave: #9aa7bd; --done: #2563eb; --cut: #f59e0b;
	--good: #15803d; --bad: #b42318; --run: #1d6fd8; --wait: #6b7280; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --card: #161c26; --ink: #e6ebf4;
	--dim: #8b97ad; --line: #273041; --soft: #1d2533; --wave: #5b6880; --done: #60a5fa;
	--cut: #fbbf24; --good: #4ade80; --bad: #f2786b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header, main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between;
	gap: .25rem 1.5rem; padding-top: 2rem; padding-bottom: 1.25rem; }
h1 { margin: 0; font-size: 1.4rem; font-weight: 650; letter-spacing: -.01em; }
h2 { margin: 0; font-size: 1.02rem; font-weight: 600; overflow-wrap: anywhere; }
header p { margin: 0; color: var(--dim); font-variant-numeric: tabular-nums; }
main { padding-bottom: 1rem; }
header a, footer a { color: var(--done); }
.chips { display: flex; flex-wrap: wrap; gap: .35rem; margin-top: .55rem; }
.chip { padding: .05rem .55rem; border-radius: 1rem; background: var(--soft);
	border: 1px solid var(--line); color: var(--dim); font-size: .8rem; overflow-wrap: anywhere; }
.chip strong { color: var(--ink); font-weight: 600; }
`;
