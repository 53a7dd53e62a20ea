import { html as markup } from 'ghtml';

import { PAGE_STYLE } from '../../page/pageStyle.mts';
import type { ReviewAssets } from './reviewAssets.mts';
import { REVIEW_STYLE } from './reviewStyle.mts';

function head(nonce: string): string {
	return markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Review</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">!${PAGE_STYLE}!${REVIEW_STYLE}</style></head>`;
}

/** Returns a page that says why there is no review. */
export function refusalPage(nonce: string, reason: string): string {
	return markup`!${head(nonce)}<body><header><h1>No review here</h1></header>
<main><p>${reason}. Ask for a new link, or open <a href="/">the list of edits</a>.</p></main></body></html>`;
}

/** Returns the page; its script fills it, so that it contains nothing of the edit. */
export function reviewMarkup(nonce: string, { folder, main, importMap }: ReviewAssets): string {
	return markup`!${head(nonce)}
<body><header><h1 id="title">Review</h1><div id="summary" class="chips"></div></header>
<main><p id="standing" role="status">Loading …</p>
<p class="results"><a id="file" class="button primary" download hidden>Download the file</a> <button id="again" hidden>Change the cuts</button>
<span id="timelines" hidden>Timeline for <a href="fcpxml">Final Cut</a> · <a href="premiere">Premiere, Resolve</a> · <a href="edl">EDL</a> · <a href="reaper">REAPER</a> · <a href="otio">OpenTimelineIO</a> · <a href="audacity">Audacity</a></span></p>
<p id="problem" role="alert"></p><p id="said" class="unseen" role="status"></p>
<noscript><p>This page needs JavaScript.</p></noscript>
<div id="work" hidden>
<section aria-labelledby="sound-heading"><div class="line"><h2 id="sound-heading">Sound</h2>
<span id="sound-buttons" class="line" role="toolbar" aria-labelledby="sound-heading"><button data-action="zoomOut" aria-label="Zoom out">−</button><button data-action="zoomIn" aria-label="Zoom in">+</button>
<button data-action="playHere">▶ The result from here</button><button id="speed" data-action="faster">Speed 1×</button><button data-action="addHere">Add a cut</button></span><span class="hint">Drag to add a cut. Drag a border to move it.</span></div>
<div id="waves" nonce="${nonce}"></div></section>
<section aria-labelledby="cuts-heading"><div class="line"><h2 id="cuts-heading">Cuts</h2><div id="kinds" role="group" aria-label="All of a kind"></div></div>
<label class="line slider">Keep the less sure ones <input id="threshold" type="range" min="0" max="100" step="5" value="0"> <output id="sureness"></output></label>
<ol id="cuts" role="list"></ol>
<form id="borders" hidden><label>From <input id="from" type="number" min="0" step="any"> s</label> <label>to <input id="to" type="number" min="0" step="any"> s</label></form></section>
<section id="transcript" aria-labelledby="words-heading"><h2 id="words-heading">Transcript</h2><div id="words" tabindex="0" role="group" aria-labelledby="words-heading"></div></section>
</div>
<div id="bar" role="toolbar" aria-label="Review" hidden>
<button data-action="previous" aria-label="Previous cut">↑</button><button data-action="next" aria-label="Next cut">↓</button>
<button class="wide" data-action="playBefore">▶ Before</button><button class="wide" data-action="playAfter">▶ After</button><button data-action="playRemoved">▶ Only what is removed</button><button data-action="stop">Stop</button>
<button class="wide" data-action="toggle">Keep or cut</button><button id="undo" data-action="undo">Undo</button><button id="redo" data-action="redo">Redo</button>
<button data-action="help" aria-label="Show the keys">?</button><button class="primary" data-stop data-action="approve">Approve</button></div></main>
<dialog id="help" aria-labelledby="help-heading"><h2 id="help-heading">Keys</h2><dl id="help-keys"></dl>
<label><input id="keys-on" type="checkbox" checked> Use the keys that need no Ctrl</label><form method="dialog"><button>Close</button></form></dialog>
<dialog id="approve" aria-labelledby="approve-heading"><form method="dialog"><h2 id="approve-heading">Approve</h2><p id="approve-summary"></p>
<label>Your name <input id="name" required pattern=".*[^ ].*" maxlength="100" autocomplete="name"></label>
<p class="line"><button class="primary">Approve</button><button form="cancel">Not yet</button></p></form><form id="cancel" method="dialog"></form></dialog>
<script type="importmap" nonce="${nonce}">!${importMap}</script>
<script type="module" nonce="${nonce}" src="${folder + main}"></script></body></html>`;
}
