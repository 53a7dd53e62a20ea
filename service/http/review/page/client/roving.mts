/** What the keys do: the buttons in a row, and the steps in it. */
const STEPS: Readonly<Record<string, (columns: number) => number>> = {
	ArrowRight: () => 1,
	ArrowLeft: () => -1,
	ArrowDown: (columns) => columns,
	ArrowUp: (columns) => -columns,
	Home: () => -Infinity,
	End: () => Infinity,
};

/** What changes which buttons there are, or which one is chosen. */
const CHANGES = {
	childList: true,
	subtree: true,
	attributeFilter: ['hidden', 'disabled', 'aria-current'],
};

/** Returns the buttons that can be pressed, without those that have a stop of their own. */
function buttonsIn(container: HTMLElement): HTMLButtonElement[] {
	return [...container.querySelectorAll('button')].filter(
		({ disabled, hidden, dataset }) => !disabled && !hidden && dataset['stop'] === undefined,
	);
}

/**
 * Makes all buttons of a container one stop of the Tab key: the one that last had the focus, or that of what is chosen.
 * The arrow keys, Home and End go to the others.
 *
 * @param columns how many buttons are in a row
 */
export function rove(container: HTMLElement, columns = 1): void {
	let last: Element | undefined;
	const settle = () => {
		const buttons = buttonsIn(container);
		const isStop = (button: HTMLButtonElement) =>
			button === document.activeElement || (button.ariaCurrent === 'true' && !hasFocus());
		const stop = buttons.find(isStop) ?? buttons.find((button) => button === last) ?? buttons.at(0);
		for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
	};
	const hasFocus = () => container.contains(document.activeElement);
	container.addEventListener('focusin', ({ target }) => {
		if (target instanceof HTMLButtonElement && target.dataset['stop'] === undefined) last = target;
		settle();
	});
	container.addEventListener('keydown', (event) => {
		const { key, target, altKey, ctrlKey, metaKey } = event;
		const buttons = buttonsIn(container);
		const from = buttons.findIndex((button) => button === target);
		if (from < 0 || altKey || ctrlKey || metaKey || !Object.hasOwn(STEPS, key)) return;
		event.preventDefault();
		const to = from + STEPS[key](columns);
		buttons[Math.min(buttons.length - 1, Math.max(0, to))].focus();
	});
	new MutationObserver(settle).observe(container, CHANGES);
	settle();
}
