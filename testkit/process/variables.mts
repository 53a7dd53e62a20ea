/** Does something with these environment variables. */
export async function withVariables<T>(
	variables: Readonly<Record<string, string>>,
	work: () => Promise<T> | T,
): Promise<T> {
	const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
	Object.assign(process.env, variables);
	try {
		return await work();
	} finally {
		for (const [name, value] of before) {
			if (value === undefined) Reflect.deleteProperty(process.env, name);
			else process.env[name] = value;
		}
	}
}
