import { z } from 'zod';

import { objectOrNothing, numberOrNothing } from './tolerance';

/** The response of POST /v2/upload (api.md#upload): a URL that accepts PUT and nothing else. */
export const uploadSchema = z.object({ signedUrl: z.string().url() }).passthrough();

/** The response of POST /v2/upload. */
export type Upload = z.infer<typeof uploadSchema>;

/** The response of GET /v1/account (api.md#account). Credits are integers in a unit of the service. */
export const accountSchema = z
	.object({
		credit: z
			.object({ total: z.number(), subscription: numberOrNothing, payg: numberOrNothing })
			.passthrough(),
		meta: objectOrNothing(z.record(z.unknown())),
	})
	.passthrough();

/** The response of GET /v1/account. */
export type Account = z.infer<typeof accountSchema>;

/** The response of GET /ping and GET /health: JSON with unknown keys (api.md#open-endpoints). */
export const serviceStatusSchema = z.unknown();
