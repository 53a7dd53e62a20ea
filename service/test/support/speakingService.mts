import { Client } from '../../../testkit/service/client.mts';
import type { Dialect } from '../../../testkit/service/fake/dialects.ts';
import { startSpeaking } from '../../../testkit/service/fake/speaking.ts';
import { ANNS_KEY, type TestService } from '../../../testkit/service/testService.mts';

/** Lets a test service speak dialects: the URL, and Ann's client, are those of the fake before it. */
export async function speaking(
	dialects: readonly Dialect[],
	service: TestService,
): Promise<TestService> {
	const fake = await startSpeaking(dialects, service.url);
	return {
		...service,
		url: fake.url,
		ann: new Client(fake.url, ANNS_KEY),
		[Symbol.asyncDispose]: async () => {
			await fake.stop();
			await service[Symbol.asyncDispose]();
		},
	};
}
