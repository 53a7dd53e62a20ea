/** Formats rows as a table: columns padded to their widest cell, the first row underlined. */
export function table(rows: readonly (readonly string[])[]): string {
	const columns = Math.max(...rows.map((row) => row.length));
	const widths = Array.from({ length: columns }, (_, column) =>
		Math.max(...rows.map((row) => (row[column] ?? '').length)),
	);
	const line = (row: readonly string[]) =>
		widths
			.map((width, column) => (row[column] ?? '').padEnd(width))
			.join('   ')
			.trimEnd();
	const [head = [], ...body] = rows;
	const rule = widths.map((width) => '-'.repeat(width)).join('   ');
	return [line(head), rule, ...body.map(line)].join('\n');
}
