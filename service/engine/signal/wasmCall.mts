import { z } from 'zod';

/** A function of a library; pointers are byte offsets into its memory. */
export type WasmCall = (...values: number[]) => number;

/** The schema of such a function. */
export const wasmCall = z.custom<WasmCall>((value) => typeof value === 'function');
