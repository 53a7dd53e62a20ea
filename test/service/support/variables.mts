/** Does something with these environment variables. */
export async function withVariables<T>(
	variables: Readonly<Record<string, string>>,
	work: () => Promise<T> | T,
): Promise<T> {
	const before = process.env;
	process.env = { ...before, ...variables };
	try {
		return await work();
	} finally {
		process.env = before;
	}
}
