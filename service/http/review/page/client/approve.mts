import { byId } from './dom.mts';

/** Where the browser remembers who reviews. */
const NAME = 'reviewer';

/** The last name: a browser may remember nothing. */
let given = '';

/** Returns the reviewer's name; empty until it was given once in this browser. @param name is new */
export function reviewer(name = ''): string {
	given = name || given;
	try {
		if (name) localStorage.setItem(NAME, name);
		return localStorage.getItem(NAME) ?? given;
	} catch {
		return given;
	}
}

/** Asks for the name and for a confirmation. @param approve called with the name in place */
export function askForApproval(approve: () => void): void {
	const dialog = byId('approve', HTMLDialogElement);
	const field = byId('name', HTMLInputElement);
	byId('approve-summary', HTMLElement).textContent = [...byId('summary', HTMLElement).children]
		.map(({ textContent }) => textContent)
		.join(' · ');
	field.value = reviewer();
	dialog.onsubmit = (event) => {
		if (event.target !== field.form) return;
		event.preventDefault();
		reviewer(field.value.trim());
		dialog.close();
		approve();
	};
	if (!dialog.open) dialog.showModal();
	field.select();
}
