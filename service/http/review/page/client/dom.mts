/** Returns an element with a class and a text. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
	tag: Tag,
	className: string,
	text = '',
): HTMLElementTagNameMap[Tag] {
	const made = document.createElement(tag);
	if (className !== '') made.className = className;
	made.textContent = text;
	return made;
}

/** Returns the element of the page with this id. @throws if the page's markup has none of this type */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
	const found = document.getElementById(id);
	if (found instanceof type) return found;
	throw new Error(`The page has no ${id}`);
}
