/** Returns the lower factor of a symmetric, positive definite matrix: the matrix is the factor times its transpose. */
export function choleskyOf(matrix: readonly (readonly number[])[]): number[][] {
	const factor = matrix.map((row) => row.map(() => 0));
	for (let row = 0; row < matrix.length; row++) {
		for (let column = 0; column <= row; column++) {
			let rest = matrix[row][column];
			for (let i = 0; i < column; i++) rest -= factor[row][i] * factor[column][i];
			factor[row][column] = row === column ? Math.sqrt(rest) : rest / factor[column][column];
		}
	}
	return factor;
}

/** Returns the solution of a system of equations with a lower factor. */
export function solvedWith(factor: readonly (readonly number[])[], right: readonly number[]) {
	const solution: number[] = [];
	for (const [row, coefficients] of factor.entries()) {
		let rest = right[row];
		for (let i = 0; i < row; i++) rest -= coefficients[i] * solution[i];
		solution.push(rest / coefficients[row]);
	}
	return solution;
}
