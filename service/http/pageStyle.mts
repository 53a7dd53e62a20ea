/** The look of the page; inline, so that it needs nothing from outside. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: #8883; --soft: #8881; }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; }
header { padding: 1.5rem 2rem 1rem; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.3rem; }
header p { margin: 0; opacity: .65; }
main { padding: 1rem 2rem 3rem; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 600; opacity: .65; white-space: nowrap; }
th, td { padding: .6rem .8rem .6rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
code { font-size: .8em; opacity: .65; white-space: nowrap; }
.chip { display: inline-block; padding: 0 .5em; border-radius: .6em; background: var(--soft);
	border: 1px solid var(--line); font-size: .85em; white-space: nowrap; }
.status { padding: .15em .6em; border-radius: .6em; font-size: .85em; font-weight: 600; color: #fff; }
.pending { background: #6b7280; }
.running { background: #1d6fd8; }
.succeeded { background: #15803d; }
.failed { background: #b42318; }
.reason { color: #d92d20; }
.empty { opacity: .65; }
`;
