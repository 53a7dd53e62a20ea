import { byId, element } from './dom.mts';

/** What a visitor can do, with its keys and its words in the help. */
const SHORTCUTS = {
	next: ['J', 'Next cut'],
	previous: ['K', 'Previous cut'],
	playBefore: ['B', 'Play around the cut as it was'],
	playAfter: ['A', 'Play around the cut as it will be'],
	playHere: ['P', 'Listen to the result from the cursor on'],
	faster: ['F', 'Play faster; after the fastest, slower'],
	toggle: ['X', 'Keep or cut'],
	playRemoved: ['R', 'Play only what is removed'],
	stop: ['S', 'Stop playing'],
	addHere: ['N', 'Add a cut at the cursor'],
	undo: ['U Ctrl+Z', 'Undo'],
	redo: ['Y Ctrl+Shift+Z', 'Redo'],
	zoomIn: ['+', 'Zoom in'],
	zoomOut: ['-', 'Zoom out'],
	approve: ['Ctrl+Enter', 'Approve'],
	help: ['?', 'Show these keys'],
} as const;

/** An object with a method for each action. */
export type Actions = Readonly<Record<keyof typeof SHORTCUTS, () => void>>;

/** Where letters are typed. */
const TYPING = 'input:not([type=range], [type=checkbox]), dialog';

/** Calls the actions for their keys and buttons, and lists the keys in the help. */
export function bindActions(actions: Actions): void {
	const byKey = new Map<string, keyof Actions>();
	for (const [name, [keys, about]] of Object.entries(SHORTCUTS)) {
		const action = name as keyof Actions;
		for (const key of keys.split(' ')) byKey.set(key, action);
		byId('help-keys', HTMLElement).append(element('dt', '', keys), element('dd', '', about));
	}
	document.addEventListener('click', ({ target }) => {
		const button = target instanceof Element && target.closest<HTMLElement>('[data-action]');
		if (button) actions[button.dataset['action'] as keyof Actions]();
	});
	const areOn = byId('keys-on', HTMLInputElement);
	const work = byId('work', HTMLElement);
	document.addEventListener('keydown', (event) => {
		const { target, altKey } = event;
		if (!(target instanceof Element) || altKey || target.closest(TYPING) || work.hidden) return;
		const name = nameOf(event);
		const action = byKey.get(name);
		if (!action || (!areOn.checked && !name.startsWith('Ctrl+'))) return;
		event.preventDefault();
		if (!event.repeat || !action.startsWith('play')) actions[action]();
	});
}

/** Returns a key as the help shows it: "J", "Ctrl+Shift+Z". */
function nameOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
	const name = key.length === 1 ? key.toUpperCase() : key;
	return ctrlKey || metaKey ? `Ctrl+${shiftKey ? 'Shift+' : ''}${name}` : name;
}
