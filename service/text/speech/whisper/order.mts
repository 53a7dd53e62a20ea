import { z } from 'zod';

/** What the recognizer's process is to do. */
export const orderSchema = z.object({
	modelPath: z.string(),
	/** 16-bit mono PCM at 16 kHz, no header. */
	speechPath: z.string(),
	/** Of each part of each piece, the first sample and the one after the last. Without any, only the model is loaded. */
	pieces: z.array(z.array(z.tuple([z.number(), z.number()]))),
	/** ISO 639-1; undefined to find it out. */
	language: z.string().optional(),
	threads: z.number(),
});

export type RecognizerOrder = z.infer<typeof orderSchema>;
