/** The review's own style, after the one of the list of edits. */
export const REVIEW_STYLE = `
:root { --filler: light-dark(#e07b00, #fb923c); --hesitation: light-dark(#b59a00, #eab308); --stutter: light-dark(#c026a3, #e879f9);
	--long_silence: light-dark(#2563eb, #60a5fa); --breath: light-dark(#0d9488, #2dd4bf); --mouth_sound: light-dark(#7c3aed, #a78bfa);
	--added: light-dark(#dc2626, #f87171); --stays: light-dark(#15803d, #4ade80); }
body { padding-bottom: 5rem; }
header { gap: .6rem 1.5rem; padding-bottom: .75rem; }
h1 { overflow-wrap: anywhere; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); }
.chips, p { margin: 0; }
#standing { margin-bottom: .75rem; }
#problem { color: var(--bad); font-weight: 600; }
.results { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; } .button { align-content: center; }
.results:not(:has(> :not([hidden]))) { display: none; }
section { margin-top: 1rem; padding: .9rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .9rem; }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.hint { color: var(--dim); font-size: .85rem; }
button, .button { font: inherit; font-size: .88rem; min-height: 2.1rem; padding: .2rem .75rem; border: 1px solid var(--line);
	border-radius: .6rem; background: var(--soft); color: var(--ink); cursor: pointer; text-decoration: none; display: inline-block; }
button:hover:not(:disabled) { border-color: var(--dim); }
button:disabled { opacity: .45; cursor: default; }
button.primary, .button.primary { background: var(--run); border-color: var(--run); color: #fff; font-weight: 600; }
:focus-visible { outline: 2px solid var(--done); outline-offset: 2px; }
input { font: inherit; color: inherit; accent-color: var(--run); }
input[type=number], #name { padding: .25rem .5rem; border: 1px solid var(--dim); border-radius: .5rem; background: var(--back); }
input[type=number] { width: 7.5rem; }
.slider { margin: .6rem 0; font-size: .9rem; } .slider input { flex: 1; max-width: 20rem; }
#waves { position: relative; margin-top: .75rem; border-radius: .5rem; background: var(--soft); overflow: hidden; }
#waves ::part(region-handle) { border-color: transparent !important; }
.names { position: absolute; inset: 0; z-index: 6; pointer-events: none; display: grid; grid-auto-rows: 88px; place-items: start; }
.names div { max-width: 100%; margin: .25rem 0; padding: 0 .4rem; border-radius: 0 .4rem .4rem 0; overflow: hidden; white-space: nowrap;
	text-overflow: ellipsis; background: color-mix(in srgb, var(--card) 85%, transparent); color: var(--dim); font-size: .8rem; }
#kinds { display: flex; flex-wrap: wrap; gap: .4rem; }
#kinds button { border-left: .4rem solid var(--kind); font-size: .82rem; }
#kinds [aria-pressed=false] { background: none; color: var(--dim); }
.filler { --kind: var(--filler); } .hesitation { --kind: var(--hesitation); } .stutter { --kind: var(--stutter); }
.long_silence { --kind: var(--long_silence); } .breath { --kind: var(--breath); }
.mouth_sound { --kind: var(--mouth_sound); } .added { --kind: var(--added); }
#cuts { list-style: none; margin: .25rem -.4rem 0; padding: .2rem .4rem; max-height: 26rem; overflow-y: auto; }
li { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; padding: .3rem .3rem .3rem .6rem; margin: .15rem 0;
	border-left: .3rem solid var(--kind); border-radius: 0 .4rem .4rem 0; content-visibility: auto; contain-intrinsic-height: 2.7rem; }
li:has([aria-current=true]) { background: var(--soft); box-shadow: inset 0 0 0 1px var(--line); }
li .main { flex: 1; display: grid; grid-template-columns: 8rem 5rem 4.5rem 1fr 4rem; gap: .5rem; align-items: baseline;
	text-align: left; background: none; border-color: transparent; font-variant-numeric: tabular-nums; }
.kind { font-weight: 600; } .length, .sure { color: var(--dim); } .decision { color: var(--bad); font-weight: 600; }
.kept { border-left-style: dotted; } .kept .decision { color: var(--stays); } .toggle { min-width: 4rem; }
#borders { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: .75rem; padding: .2rem .75rem; font-size: .9rem; }
#words { max-height: 16rem; overflow-y: auto; } #words p { margin: .5rem 0 0; } #words span { cursor: pointer; }
s { color: var(--dim); text-decoration: line-through 2px var(--bad); }
#bar { position: fixed; inset: auto 0 0; display: flex; flex-wrap: wrap; justify-content: center; gap: .4rem; z-index: 10;
	padding: .6rem 1rem; background: var(--card); border-top: 1px solid var(--line); box-shadow: 0 -2px 8px #0000001a; }
dialog { max-width: min(30rem, 92vw); padding: 1.25rem; border: 1px solid var(--line); border-radius: .9rem; background: var(--card); color: var(--ink); }
dialog::backdrop { background: #0008; } dialog p, dialog label { display: block; margin: .75rem 0; } dialog .line { display: flex; }
#name { display: block; width: 100%; margin-top: .25rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .3rem 1rem; margin: .75rem 0; } dd { margin: 0; } dt { font-family: ui-monospace, monospace; }
@media (max-width: 40rem) { body { padding-bottom: 7.5rem; } main { padding: 0 .75rem; } header { padding: 1rem .75rem .6rem; }
	li .main { flex-basis: 100%; grid-template-columns: 1fr auto auto; padding: 0; gap: 0 .75rem; } .decision { grid-column: 3; }
	.sure { grid-column: 1; } li button:not(.main) { flex: 1; } .wide, .hint { display: none; }
	#cuts { max-height: none; } #kinds button { flex: 1 1 40%; padding: .2rem .5rem; } #bar { padding: .5rem; gap: .3rem; } }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
